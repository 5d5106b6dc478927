// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.OptionalLong;

/** Where a gateway writes. Paths are relative, with '/', and were checked. It never replaces a file. */
public interface RemoteStore {

  /** The length of a file, empty if nothing is there. Fails for a directory. */
  OptionalLong length(String path) throws IOException;

  /** A new file, with its directories. */
  Writer create(String path) throws IOException;

  /** Goes on with a file that another process may have left open. */
  Writer append(String path) throws IOException;

  Reader open(String path) throws IOException;

  /** CRC32C of a closed file, from the bytes that are stored. */
  int checksum(String path) throws IOException;

  /**
   * @throws FileAlreadyExistsException if there is a file of that name
   */
  void rename(String from, String to) throws IOException;

  /** Does nothing if there is no such file. */
  void delete(String path) throws IOException;

  /** A file being written. */
  interface Writer extends Closeable {
    void write(byte[] data, int from, int length) throws IOException;

    /** Closes it with all of it on the device. */
    void finish() throws IOException;
  }

  /** A file being read, at any position. */
  interface Reader extends Closeable {
    /** As many bytes as there are, up to {@code length}. */
    int read(long position, byte[] into, int length) throws IOException;
  }
}
