// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The bytes of a section as they stand in the file; counts how many were taken. For one thread; others may ask how
 * many. */
final class FileRange extends InputStream {
  private final Path file;
  private final FileChannel channel;
  private final long from;
  private final long to;
  private volatile long at;

  FileRange(Path file, long from, long length) throws IOException {
    this.file = file;
    this.channel = RegularFiles.channel(file);
    this.from = from;
    this.to = from + length;
    this.at = from;
  }

  long taken() {
    return at - from;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int most = (int) Math.min(length, to - at);
    if (most <= 0) {
      return length == 0 ? 0 : -1;
    }
    int read = channel.read(ByteBuffer.wrap(into, offset, most), at);
    if (read < 0) {
      throw new ImageFormatException(file + " became shorter while it was read, at byte " + at);
    }
    at = at + read;
    return read;
  }

  @Override
  public long skip(long count) {
    long step = Math.max(0, Math.min(count, to - at));
    at = at + step;
    return step;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
