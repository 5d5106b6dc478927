// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/** Files of this host, below a directory. */
public final class LocalStore implements RemoteStore {

  private static final int BUFFER = 1 << 20;

  private final Path root;

  public LocalStore(Path root) {
    this.root = root;
  }

  @Override
  public OptionalLong length(String path) throws IOException {
    Path file = root.resolve(path);
    if (!Files.exists(file)) {
      return OptionalLong.empty();
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException(path + ": expected a file, found a directory or a device");
    }
    return OptionalLong.of(Files.size(file));
  }

  @Override
  public Writer create(String path) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return writer(FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  @Override
  public Writer append(String path) throws IOException {
    return writer(FileChannel.open(root.resolve(path), StandardOpenOption.APPEND));
  }

  private static Writer writer(FileChannel channel) {
    return new Writer() {
      @Override
      public void write(byte[] data, int from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(data, from, length);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }

      @Override
      public void finish() throws IOException {
        channel.force(true);
        channel.close();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  @Override
  public Reader open(String path) throws IOException {
    FileChannel channel = FileChannel.open(root.resolve(path), StandardOpenOption.READ);
    return new Reader() {
      @Override
      public int read(long position, byte[] into, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
        while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) >= 0) {}
        return buffer.position();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  @Override
  public int checksum(String path) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER];
    try (Reader reader = open(path)) {
      long position = 0;
      for (int read = reader.read(0, buffer, BUFFER);
          read > 0;
          read = reader.read(position, buffer, BUFFER)) {
        crc.update(buffer, 0, read);
        position += read;
      }
    }
    return (int) crc.getValue();
  }

  /** By a link, which fails if the name is taken: moves replace files. */
  @Override
  public void rename(String from, String to) throws IOException {
    Files.createLink(root.resolve(to), root.resolve(from));
    Files.delete(root.resolve(from));
  }

  @Override
  public void delete(String path) throws IOException {
    Files.deleteIfExists(root.resolve(path));
  }
}
