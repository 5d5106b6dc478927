// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import io.thermocline.placement.model.RegularFiles;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;

/** An open log file, being written, rolled, or rolled and compressed, as the bytes that were logged. Not thread-safe. */
abstract class LogFile implements Closeable {

  private static final int BUFFER = 256 * 1024;

  /** Of the bytes that come next, some; 0 or less at the present end. */
  abstract int read(byte[] bytes, int from, int length) throws IOException;

  /** Goes on reading there; false where the file is shorter. */
  abstract boolean seek(long offset) throws IOException;

  /** How it begins now: up to so many bytes into the array; how many there were. */
  abstract int head(byte[] bytes, int length) throws IOException;

  /** Whether it can still grow or be truncated. */
  abstract boolean isPlain();

  /** Name of the compression by its ending, or null. */
  static String compression(String name) {
    for (String ending : new String[] {".gz", ".bz2", ".lz4", ".zst"}) {
      if (name.endsWith(ending)) {
        return ending;
      }
    }
    return null;
  }

  /** What identifies a file on its file system. */
  static String inode(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    return Objects.toString(attributes.fileKey());
  }

  /**
   * Opens a regular file, or a link to one.
   *
   * @throws java.nio.file.FileSystemException where the path names anything else
   */
  static LogFile open(Path path) throws IOException {
    String compression = compression(path.getFileName().toString());
    return compression == null ? new Plain(path) : new Compressed(path, compression);
  }

  private static final class Plain extends LogFile {
    private final FileChannel channel;

    Plain(Path path) throws IOException {
      channel = RegularFiles.channel(path);
    }

    @Override
    int read(byte[] bytes, int from, int length) throws IOException {
      return channel.read(ByteBuffer.wrap(bytes, from, length));
    }

    @Override
    boolean seek(long offset) throws IOException {
      channel.position(Math.min(offset, channel.size()));
      return channel.size() >= offset;
    }

    @Override
    int head(byte[] bytes, int length) throws IOException {
      ByteBuffer target = ByteBuffer.wrap(bytes, 0, length);
      while (target.hasRemaining() && channel.read(target, target.position()) > 0) {
        // Until it is full or the file ends.
      }
      return target.position();
    }

    @Override
    boolean isPlain() {
      return true;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private static final class Compressed extends LogFile {
    private final Path path;
    private final String compression;
    private InputStream in;

    Compressed(Path path, String compression) throws IOException {
      this.path = path;
      this.compression = compression;
      this.in = stream();
    }

    private InputStream stream() throws IOException {
      InputStream raw = RegularFiles.stream(path);
      try {
        InputStream buffered = new java.io.BufferedInputStream(raw, BUFFER);
        return switch (compression) {
          case ".gz" -> new GZIPInputStream(buffered, BUFFER);
          case ".bz2" -> new BZip2CompressorInputStream(buffered, true);
          case ".lz4" -> new FramedLZ4CompressorInputStream(buffered, true);
          default -> new ZstdCompressorInputStream(buffered);
        };
      } catch (IOException e) {
        raw.close();
        throw e;
      } catch (RuntimeException | LinkageError e) {
        raw.close();
        throw unreadable(e);
      }
    }

    /** Decompressors meet damage with all kinds of exceptions, and lack a native library with an error. */
    private IOException unreadable(Throwable cause) {
      return new IOException(path + " can't be decompressed: " + cause, cause);
    }

    @Override
    int read(byte[] bytes, int from, int length) throws IOException {
      try {
        return in.readNBytes(bytes, from, length);
      } catch (EOFException | ZipException e) {
        throw new IOException(path + " is cut off or damaged: " + e.getMessage(), e);
      } catch (RuntimeException e) {
        throw unreadable(e);
      }
    }

    @Override
    boolean seek(long offset) throws IOException {
      in.close();
      in = stream();
      try {
        in.skipNBytes(offset);
        return true;
      } catch (EOFException e) {
        return false;
      } catch (RuntimeException e) {
        throw unreadable(e);
      }
    }

    @Override
    int head(byte[] bytes, int length) throws IOException {
      try (InputStream again = stream()) {
        return again.readNBytes(bytes, 0, length);
      } catch (RuntimeException e) {
        throw unreadable(e);
      }
    }

    @Override
    boolean isPlain() {
      return false;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
