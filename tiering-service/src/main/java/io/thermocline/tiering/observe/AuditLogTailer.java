// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Follows one growing log file across rotation. Not thread-safe: one thread polls.
 *
 * <p>log4j rolls by renaming: the file under our hands keeps its lines and gets no new ones, and a new
 * file takes its name. So the open file is read to its end first, and only then, when the name stands
 * for another inode, is the new file opened from its start. A file that became shorter was truncated
 * in place (copy-truncate) and is read from its start. A last line without a newline is left for the
 * next poll, since its writer is in the middle of it.
 *
 * <p>Rolled files that appeared and were renamed again between two polls are not found: poll more
 * often than the log rolls.
 */
public final class AuditLogTailer implements Closeable {

  /** Where to begin in a file that is already there. */
  public enum Start {
    BEGINNING,
    END
  }

  private static final int CHUNK = 256 * 1024;

  private final Path path;
  private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
  private Start start;
  private FileChannel channel;
  private Object inode;
  private byte[] partial = new byte[0];

  public AuditLogTailer(Path path, Start start) {
    this.path = path;
    this.start = start;
  }

  /**
   * Hands every complete new line to the consumer.
   *
   * @return how many lines there were; 0 where the file is not there (yet)
   */
  public long poll(Consumer<String> lines) throws IOException {
    long count = 0;
    if (channel == null && !open()) {
      return 0;
    }
    while (true) {
      count += drain(lines);
      if (!movedOn()) {
        return count;
      }
      // What the writer appended between our last read and its rename.
      count += drain(lines);
      close();
      if (!open()) {
        return count;
      }
    }
  }

  private boolean open() throws IOException {
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
      inode = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      // Between a rename and the next create, or before the NameNode wrote its first line. What
      // comes then is all new.
      close();
      start = Start.BEGINNING;
      return false;
    }
    if (start == Start.END) {
      channel.position(channel.size());
    }
    start = Start.BEGINNING;
    partial = new byte[0];
    return true;
  }

  private boolean movedOn() throws IOException {
    if (channel.size() < channel.position()) {
      channel.position(0);
      partial = new byte[0];
      return false;
    }
    try {
      return !Objects.equals(
          Files.readAttributes(path, BasicFileAttributes.class).fileKey(), inode);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private long drain(Consumer<String> lines) throws IOException {
    long count = 0;
    while (true) {
      buffer.clear();
      if (channel.read(buffer) <= 0) {
        return count;
      }
      count += split(buffer.array(), buffer.position(), lines);
    }
  }

  private long split(byte[] bytes, int length, Consumer<String> lines) {
    long count = 0;
    int from = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        lines.accept(line(bytes, from, i));
        from = i + 1;
        count++;
      }
    }
    byte[] rest = new byte[partial.length + length - from];
    System.arraycopy(partial, 0, rest, 0, partial.length);
    System.arraycopy(bytes, from, rest, partial.length, length - from);
    partial = rest;
    return count;
  }

  private String line(byte[] bytes, int from, int to) {
    if (partial.length == 0) {
      return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
    byte[] whole = new byte[partial.length + to - from];
    System.arraycopy(partial, 0, whole, 0, partial.length);
    System.arraycopy(bytes, from, whole, partial.length, to - from);
    partial = new byte[0];
    return new String(whole, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }
}
