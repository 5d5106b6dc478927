// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;

/** A compressed section. Whatever a codec throws at damaged bytes comes out as one exception. */
final class Decompressed extends InputStream {
  private final String what;
  private final FileRange bytes;
  private final Decompressor decompressor;
  private final InputStream in;

  Decompressed(String what, CompressionCodec codec, FileRange bytes) throws IOException {
    this.what = what;
    this.bytes = bytes;
    try {
      // Our own: one that met damaged bytes goes back into Hadoop's pool, and fails at sound ones.
      this.decompressor = codec.createDecompressor();
      this.in = codec.createInputStream(new BufferedInputStream(bytes, 1 << 16), decompressor);
    } catch (RuntimeException | LinkageError e) {
      throw new ImageFormatException(
          what
              + " is compressed with "
              + codec.getClass().getName()
              + ", whose library isn't here: "
              + e,
          e);
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    try {
      return in.read(into, offset, length);
    } catch (IOException | RuntimeException | LinkageError | InternalError e) {
      throw damaged(e);
    } catch (OutOfMemoryError e) {
      // Codecs of blocks allocate what a damaged length says, at once; it is refused at once too.
      throw damaged(e);
    }
  }

  private ImageFormatException damaged(Throwable e) {
    return new ImageFormatException(
        what + ": can't be decompressed after " + bytes.taken() + " of its bytes: " + e, e);
  }

  @Override
  public void close() throws IOException {
    in.close();
    try {
      if (decompressor != null) {
        decompressor.end();
      }
    } catch (UnsupportedOperationException e) {
      // What stands for the decompressor of bzip2 in pure Java: it holds nothing.
    }
  }
}
