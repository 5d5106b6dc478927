// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.placement.suora.SegmentLog;
import io.thermocline.placement.suora.SegmentLogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * One bucket's segment log on disk, {@code BUCKET.segments} in a directory that several processes may
 * share. Not thread-safe.
 *
 * <p>Nothing is written but under the directory's lock and after what others wrote has been read; what
 * was written has been forced to the device when a call returns. Readers need no lock: they take whole
 * lines only.
 */
final class SegmentFile {
  private static final String LOCK = ".segments.lock";

  private final Path directory;
  private final String bucket;
  private final Path file;

  private SegmentLog known;
  private long knownBytes;
  private long seenBytes;
  private Object fileKey;

  SegmentFile(Path directory, String bucket) {
    this.directory = directory;
    this.bucket = bucket;
    this.file = directory.resolve(bucket + ".segments");
    forget();
  }

  Path path() {
    return file;
  }

  /** What the file says now: the same object as before if it is unchanged; empty without a file. */
  SegmentLog poll() throws IOException, SegmentLogException {
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      if (!known.isEmpty()) {
        forget();
      }
      return known;
    }
    boolean same = fileKey != null && fileKey.equals(now.fileKey()) && now.size() >= knownBytes;
    if (same && now.size() == seenBytes) {
      return known;
    }
    try (FileChannel channel = RegularFiles.channel(file)) {
      long start = same && !known.isEmpty() ? knownBytes : 0;
      byte[] bytes = bytes(channel, start);
      SegmentLog.Reading reading =
          start == 0 ? SegmentLog.read(bucket, bytes) : known.readOn(bytes);
      known = reading.bytes() == 0 && start > 0 ? known : reading.log();
      knownBytes = start + reading.bytes();
      seenBytes = start + bytes.length;
      fileKey = now.fileKey();
    } catch (SegmentLogException e) {
      forget();
      throw e;
    }
    return known;
  }

  /**
   * Writes what a log has and the file hasn't.
   *
   * @return what the file then says; another than the log where somebody else wrote before, or null
   *     where the directory is locked now
   */
  SegmentLog write(SegmentLog log) throws IOException, SegmentLogException {
    return locked(
        () -> {
          SegmentLog before = known;
          if (poll() != before) {
            return known;
          }
          String text = log.textAfter(known);
          if (text == null || text.isEmpty()) {
            return known;
          }
          if (known.isEmpty()) {
            create(log);
          } else {
            append(text);
          }
          known = log;
          return known;
        });
  }

  /**
   * Puts a file that can't be read aside, and what is known in its place.
   *
   * @return where it is now; null where another process did so before, or the directory is locked
   */
  Path setAside(SegmentLog instead) throws IOException, SegmentLogException {
    return locked(
        () -> {
          try {
            poll();
            return null;
          } catch (SegmentLogException e) {
            Path aside = unusedName();
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
            forget();
            if (!instead.isEmpty()) {
              create(instead);
              known = instead;
            }
            return aside;
          }
        });
  }

  /** The whole log as a file of its own first, so that there is never half of one. */
  private void create(SegmentLog log) throws IOException {
    Path fresh = directory.resolve(bucket + ".segments.new");
    byte[] bytes = log.text().getBytes(StandardCharsets.UTF_8);
    RegularFiles.requireIfPresent(fresh);
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      writeFully(channel, bytes);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    // So that the name survives a crash too.
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
    knownBytes = bytes.length;
    seenBytes = bytes.length;
    fileKey = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private void append(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // Behind the last whole line: who wrote the rest holds no lock any more, so it has crashed.
      channel.truncate(knownBytes);
      channel.position(knownBytes);
      writeFully(channel, bytes);
    }
    knownBytes += bytes.length;
    seenBytes = knownBytes;
  }

  private static void writeFully(FileChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    channel.force(true);
  }

  private static byte[] bytes(FileChannel channel, long start) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(channel.size() - start, 1 << 30));
    channel.position(start);
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
      // Until full, or the file is shorter than it was.
    }
    byte[] bytes = new byte[buffer.position()];
    buffer.flip();
    buffer.get(bytes);
    return bytes;
  }

  private Path unusedName() {
    for (int number = 1; ; number++) {
      Path name = directory.resolve(bucket + ".segments.damaged-" + number);
      if (!Files.exists(name)) {
        return name;
      }
    }
  }

  private void forget() {
    known = SegmentLog.empty(bucket);
    knownBytes = 0;
    seenBytes = 0;
    fileKey = null;
  }

  private <T> T locked(Work<T> work) throws IOException, SegmentLogException {
    Files.createDirectories(directory);
    Path lockFile = directory.resolve(LOCK);
    RegularFiles.requireIfPresent(lockFile);
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = lock(channel)) {
      return lock == null ? null : work.run();
    }
  }

  /** Null where another process or another policy of this one holds it. */
  private static FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private interface Work<T> {
    T run() throws IOException, SegmentLogException;
  }

  @Override
  public String toString() {
    return Objects.toString(file);
  }
}
