// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out the lines of one growing log, each exactly once, across rotation of any kind and across restarts.
 * Not thread-safe.
 *
 * <p>The next line is a range of {@link #buffer}, from {@link #next} to the next call; it counts as read once it was
 * {@linkplain #release released}, and {@link #position} is always behind the last one that was.
 *
 * <p>A file is read to its end before the next is begun. Rolled by renaming: the file in our hands keeps its
 * lines, and when its name stands for another one, it is read to its end once more and looked for among the rolled
 * files; those that are younger follow, then the one being written. Rolled by copying and truncating: the file no
 * longer begins as it did, so it is looked for among the rolled ones, read on there, and this one from its start.
 * That it begins as before is checked after each read, before its bytes are used. A last line without a newline is
 * left until its writer has finished it, or has turned to another file. Of a line that is too long only the end is
 * handed out. Until then the position is before it, so that a restart finds all of it.
 */
final class LogFollower implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(LogFollower.class);

  /** Files that are renamed as we open them make us list them again. */
  private static final int ATTEMPTS = 20;

  private final Path path;
  private final LogStart start;
  private final LogRotation files;
  private final LineBuffer lines = new LineBuffer();

  private OpenLog open;
  private LogPosition position;

  /** Behind the last line that was released in the open file; negative before the first. */
  private long releasedOffset = -1;

  private long releasedMillis = LogTime.NONE;

  /** Bytes of a line that is too long which one call skips at most. */
  private static final long SKIPPED_AT_ONCE = 64L << 20;

  /** There was no file, so all that comes is new. */
  private boolean wasMissing;

  private boolean isSkipping;

  /** @param saved where to go on, or null to begin as told */
  LogFollower(Path path, LogStart start, LogPosition saved, ZoneId zone) {
    this.path = path;
    this.start = start;
    this.position = saved;
    this.files = new LogRotation(path, zone);
  }

  /**
   * Moves to the next line; false where there is none yet, or {@link #isSkipping}. The one before must have been
   * released.
   */
  boolean next() throws IOException {
    isSkipping = false;
    long before = lines.taken();
    while (true) {
      if (open == null && !openFirst()) {
        return false;
      }
      if (lines.takeLine()) {
        return true;
      }
      if (lines.taken() - before >= SKIPPED_AT_ONCE) {
        isSkipping = true;
        return false;
      }
      if (fill() || open == null) {
        continue;
      }
      boolean done = isDone();
      if (open == null || lines.hasUnseen()) {
        continue;
      }
      if (!done) {
        return false;
      }
      if (lines.takeRest()) {
        return true;
      }
      if (!openNext()) {
        return false;
      }
    }
  }

  /** Whether the last call of {@link #next} ended in a line that is too long, of which there is more. */
  boolean isSkipping() {
    return isSkipping;
  }

  /** Whether the line is only the end of one that is too long, and so malformed. */
  boolean isCut() {
    return lines.isCut();
  }

  /** The buffer of the lines, of which {@link #next} takes one after the other. */
  LineBuffer lines() {
    return lines;
  }

  byte[] buffer() {
    return lines.bytes();
  }

  int lineFrom() {
    return lines.lineFrom();
  }

  int lineTo() {
    return lines.lineTo();
  }

  /**
   * The line was dealt with.
   *
   * @param millis its time, or {@link LogTime#NONE}
   */
  void release(long millis) {
    // Not a new position for each line: only what it is made of.
    releasedMillis = millis == LogTime.NONE ? releasedMillis : millis;
    releasedOffset = lines.offset();
  }

  /** Behind the last line that was released; null before the log was found. */
  LogPosition position() {
    if (releasedOffset >= 0) {
      position = new LogPosition(open.head(), open.inode(), releasedOffset, releasedMillis);
    }
    return position;
  }

  /** Whether there was no file to read at the last look. */
  boolean isMissing() {
    return open == null;
  }

  /** Bytes of all lines so far. */
  long bytes() {
    return lines.taken();
  }

  /** How often lines are known to be lost: a file that we had not read to its end is gone or damaged. */
  long gaps() {
    return files.gaps();
  }

  private boolean openFirst() throws IOException {
    if (files.isEmpty()) {
      if (position != null) {
        files.resumeFrom(position);
      } else if (!files.beginWithLive()) {
        // Between a rename and the next create, or before the first line. What comes then is all
        // new.
        wasMissing = true;
      } else if (start == LogStart.END && !wasMissing) {
        return openNext() && goToEnd();
      }
    }
    return openNext();
  }

  private boolean goToEnd() throws IOException {
    long end = open.endOfLines();
    open.seek(end);
    lines.reset(end);
    releasedOffset = end;
    releasedMillis = LogTime.NONE;
    return true;
  }

  private boolean openNext() throws IOException {
    leave();
    for (int attempt = 0; attempt < ATTEMPTS && !files.isEmpty(); attempt++) {
      try {
        open = OpenLog.open(files.first());
      } catch (NoSuchFileException e) {
        files.findFirstAgain(position);
        continue;
      }
      begin();
      return true;
    }
    return false;
  }

  /** Sets out at the start of the open file, or at the position in it. */
  private void begin() throws IOException {
    Path name = files.first().path();
    lines.reset(0);
    if (position == null) {
      releasedOffset = 0;
    }
    if (files.removeFirst()) {
      lines.reset(position.offset());
      releasedMillis = position.lastMillis();
      releasedOffset = position.offset();
      if (!open.seek(position.offset())) {
        files.addGap();
        LOG.warn("{} has less than the {} bytes that were read of it", name, position.offset());
      }
    }
  }

  /** Reads on; false where the open file has no more at present, or is open no more. */
  private boolean fill() throws IOException {
    if (open == null || open.isDamaged()) {
      return false;
    }
    boolean unknown = open.isUnknown();
    OpenLog.Reading reading = open.readOn(lines);
    if (reading == OpenLog.Reading.DAMAGED) {
      files.addGap();
      return false;
    }
    if (reading == OpenLog.Reading.REWRITTEN) {
      goOnInCopy();
      return false;
    }
    if (open.isLive()
        && (unknown || open.wasUnknown())
        && position != null
        && position.head().length() > 0
        && (files.changed() || open.wasUnknown() && !open.isUnknown())) {
      // It may have been written to, copied and truncated since it was listed; that copy then comes
      // after the last file that was read.
      leave();
      files.resumeFrom(position);
      return false;
    }
    return reading == OpenLog.Reading.SOME;
  }

  private void goOnInCopy() throws IOException {
    LogPosition last = position();
    LogHead known = open.head();
    long unread = lines.offset();
    leave();
    RolledLogs.Seen copy = files.resumeInCopy(known);
    if (copy != null) {
      long millis = last == null ? Long.MIN_VALUE : last.lastMillis();
      position = new LogPosition(known, copy.inode(), unread, millis);
    } else if (last != null) {
      position = last;
    }
  }

  /** At the end of the open file: whether nothing more will be written to it. */
  private boolean isDone() throws IOException {
    if (open.isFinal() || !files.isEmpty() && !open.isLive()) {
      return true;
    }
    try {
      if (LogFile.inode(path).equals(open.inode())) {
        return false;
      }
    } catch (NoSuchFileException e) {
      // Its writer may still have it, unless it was rolled again since, and nobody writes now.
      if (!files.hasYounger(open.head(), open.inode())) {
        return false;
      }
    }
    // The name stands for another file, or for none. What was appended between our last read and
    // the renaming
    // comes first.
    if (fill()) {
      return false;
    }
    if (open != null && files.isEmpty()) {
      long after = position() == null ? Long.MIN_VALUE : position().lastMillis();
      files.addYounger(open.head(), open.inode(), after);
    }
    return open != null && !files.isEmpty();
  }

  private void leave() throws IOException {
    if (open != null) {
      // Later positions are in another file, once a line of that was released.
      position();
      releasedOffset = -1;
      open.close();
      open = null;
    }
  }

  @Override
  public void close() throws IOException {
    leave();
  }
}
