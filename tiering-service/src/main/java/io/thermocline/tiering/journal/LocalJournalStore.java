// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.observe.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in a local directory: journal.jsonl, and the segments before it under numbers. A lock of the operating
 * system keeps a second writer away. Lines are handed to the operating system at once and reach the disk when that
 * writes them, so a power failure can cost the last ones, never the order.
 */
public final class LocalJournalStore implements JournalStore {

  private static final Logger LOG = LoggerFactory.getLogger(LocalJournalStore.class);
  private static final String CURRENT = "journal.jsonl";

  private final Path directory;

  /** Null where it is only read. */
  private FileChannel channel;

  /** Of the channel's file; null where the file system has no such thing. */
  private Object inode;

  private LocalJournalStore(Path directory, FileChannel channel, Object inode) {
    this.directory = directory;
    this.channel = channel;
    this.inode = inode;
  }

  /**
   * Opens the journal of a directory, creating both where they are not there.
   *
   * @throws IOException also where another process has it open, with what to do
   */
  public static LocalJournalStore open(Path directory) throws IOException {
    PrivateFiles.createDirectories(directory);
    Path file = directory.resolve(CURRENT);
    FileChannel channel = locked(file, file);
    try {
      // Through this one channel: closing another one of the same file would give up the lock.
      cutUnfinishedLine(channel, file);
      channel.position(channel.size());
      return new LocalJournalStore(directory, channel, inode(file));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The journal of a directory that another process may have open; nothing can be appended to it. */
  public static LocalJournalStore reading(Path directory) {
    return new LocalJournalStore(directory, null, null);
  }

  private static FileChannel locked(Path file, Path name) throws IOException {
    FileChannel channel =
        PrivateFiles.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new IOException(
          name
              + " is in use: another Thermocline runs with this journal: stop it first. A second"
              + " service needs a journal.directory of its own.");
    }
    return channel;
  }

  /** A crash can leave half a line at the end, which was never acted upon. */
  private static void cutUnfinishedLine(FileChannel channel, Path file) throws IOException {
    long keep = channel.size();
    ByteBuffer last = ByteBuffer.allocate(1);
    while (keep > 0 && channel.read(last.clear(), keep - 1) == 1 && last.get(0) != '\n') {
      keep--;
    }
    if (keep < channel.size()) {
      LOG.warn("{}: cut {} bytes of an unfinished last line", file, channel.size() - keep);
      channel.truncate(keep);
    }
  }

  @Override
  public List<String> segments() throws IOException {
    if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      names.addAll(
          files
              .map(Path::toString)
              .filter(file -> SegmentNames.isNumbered(file))
              .sorted()
              .collect(Collectors.toList()));
    }
    Path current = directory.resolve(CURRENT);
    if (Files.exists(current, LinkOption.NOFOLLOW_LINKS)) {
      names.add(current.toString());
    }
    return names;
  }

  @Override
  public InputStream read(String segment) throws IOException {
    Path file = Path.of(segment);
    if (channel == null || !file.equals(directory.resolve(CURRENT))) {
      return RegularFiles.stream(file);
    }
    return new OwnedChannelInput(channel);
  }

  private static Object inode(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  @Override
  public void requireInPlace() throws IOException {
    Path current = directory.resolve(CURRENT);
    Object now;
    try {
      now = inode(current);
    } catch (NoSuchFileException e) {
      now = "none";
    }
    if (inode != null && !inode.equals(now)) {
      throw new IOException(
          current
              + " was removed or replaced while the service runs. Move the same file back. If it is lost, restart the"
              + " service with a copy, or with --accept-journal");
    }
  }

  @Override
  public void append(byte[] lines) throws IOException {
    requireInPlace();
    long start = channel.position();
    try {
      write(channel, lines);
    } catch (IOException e) {
      // A full disk takes half a line; what comes after it would make that a damaged one.
      if (channel.isOpen()) {
        channel.truncate(start);
      }
      throw e;
    }
  }

  @Override
  public void sync() throws IOException {
    channel.force(false);
  }

  @Override
  public void roll(byte[] head) throws IOException {
    Path current = directory.resolve(CURRENT);
    Path next = directory.resolve(CURRENT + ".new");
    requireInPlace();
    Files.deleteIfExists(next);
    FileChannel fresh = locked(next, current);
    Object key;
    try {
      key = inode(next);
      write(fresh, head);
      fresh.force(true);
      // A link first: so there is a journal.jsonl, locked, at every moment.
      long number = SegmentNames.last(segments()) + 1;
      Files.createLink(directory.resolve(SegmentNames.of(number)), current);
      Files.move(next, current, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      fresh.close();
      throw e;
    }
    channel.close();
    channel = fresh;
    inode = key;
  }

  @Override
  public void delete(String segment) throws IOException {
    Files.deleteIfExists(Path.of(segment));
  }

  private static void write(FileChannel to, byte[] lines) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(lines);
    while (left.hasRemaining()) {
      to.write(left);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /** Reads at places of its own, so that the channel stays at its end. */
  private static final class OwnedChannelInput extends InputStream {
    private final FileChannel from;
    private long at;

    OwnedChannelInput(FileChannel from) {
      this.from = from;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = from.read(ByteBuffer.wrap(into, offset, length), at);
      at += Math.max(0, read);
      return read;
    }
  }
}
