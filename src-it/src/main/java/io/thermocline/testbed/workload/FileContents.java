// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * A file's content: pseudo-random bytes from a seed, so that it needn't be kept to be compared, doesn't
 * compress, and differs between files.
 */
public final class FileContents {

  private static final int BUFFER = 64 * 1024;

  private FileContents() {}

  /** The content as a stream. For one thread. */
  public static InputStream stream(WorkloadFile file) {
    return new ContentStream(file.seed(), file.bytes());
  }

  /** Writes the content and leaves the stream open. */
  public static void writeTo(OutputStream out, WorkloadFile file) throws IOException {
    InputStream content = stream(file);
    byte[] buffer = new byte[BUFFER];
    for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
      out.write(buffer, 0, count);
    }
  }

  /** CRC-32C of the content. */
  public static long crc32c(WorkloadFile file) {
    CRC32C crc = new CRC32C();
    try {
      update(crc, stream(file));
    } catch (IOException e) {
      throw new AssertionError("The content is made in memory, no I/O can fail", e);
    }
    return crc.getValue();
  }

  /**
   * Reads a stream to its end.
   *
   * @return the number of bytes that went into the checksum
   */
  static long update(CRC32C crc, InputStream in) throws IOException {
    byte[] buffer = new byte[BUFFER];
    long bytes = 0;
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      crc.update(buffer, 0, count);
      bytes += count;
    }
    return bytes;
  }

  private static final class ContentStream extends InputStream {
    private final SplittableRandom random;
    private final ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long left;

    ContentStream(long seed, long bytes) {
      this.random = new SplittableRandom(seed);
      this.left = bytes;
      word.position(Long.BYTES);
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, buffer.length);
      if (left == 0) {
        return -1;
      }
      int count = (int) Math.min(length, left);
      int done = 0;
      while (done < count) {
        if (!word.hasRemaining()) {
          word.putLong(0, random.nextLong()).position(0);
        }
        int piece = Math.min(count - done, word.remaining());
        word.get(buffer, offset + done, piece);
        done += piece;
      }
      left -= count;
      return count;
    }
  }
}
