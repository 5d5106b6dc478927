// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
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
 * left until its writer has finished it, or has turned to another file.
 */
final class LogFollower implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(LogFollower.class);

  /** Small enough for a core's cache, so that parsing finds the bytes there. */
  private static final int CHUNK = 256 * 1024;

  /** Files that are renamed as we open them make us list them again. */
  private static final int ATTEMPTS = 20;

  /** A line longer than this is cut. */
  private static final int LONGEST_LINE = 8 * 1024 * 1024;

  private final Path path;
  private final LogStart start;
  private final RolledLogs rolled;
  private final Deque<RolledLogs.Seen> queue = new ArrayDeque<>();
  private final byte[] compared = new byte[LogHead.MOST];

  private LogPosition position;

  private LogFile file;
  private String inode;
  private boolean live;

  /**
   * It had no line to know it by: what it has when it grows may not be the first that was written to it.
   */
  private boolean unknownAtListing;

  private boolean finished;

  /** How the open file begins, as far as it was read. */
  private byte[] head = new byte[LogHead.MOST + Long.BYTES];

  private int headLength;

  /** The words that are read at the end go past the limit. */
  private byte[] buffer = new byte[CHUNK + Long.BYTES];

  /** Of the first byte of the buffer. */
  private long base;

  private int next;
  private int scanned;
  private int limit;
  private int lineFrom;
  private int lineTo;

  /** Behind the last line that was released in the open file; negative before the first. */
  private long releasedOffset = -1;

  private long releasedMillis = LogTime.NONE;

  /** There was no file, so all that comes is new. */
  private boolean wasMissing;

  /** The next file that is opened is the one of the position. */
  private boolean resume;

  private long bytes;
  private long gaps;

  /** @param saved where to go on, or null to begin as told */
  LogFollower(Path path, LogStart start, LogPosition saved, ZoneId zone) {
    this.path = path;
    this.start = start;
    this.position = saved;
    this.rolled = new RolledLogs(path, zone);
  }

  /** Moves to the next line; false where there is none yet. The one before must have been released. */
  boolean next() throws IOException {
    while (true) {
      if (file == null && !openFirst()) {
        return false;
      }
      int end = ByteSearch.indexOf(buffer, scanned, limit, '\n');
      if (end >= 0) {
        setLine(next, end);
        next = end + 1;
        scanned = next;
        return true;
      }
      scanned = limit;
      if (limit - next >= LONGEST_LINE) {
        setLine(next, limit);
        next = limit;
        return true;
      }
      if (fill() || file == null) {
        continue;
      }
      boolean done = isDone();
      if (file == null || scanned < limit) {
        continue;
      }
      if (!done) {
        return false;
      }
      if (next < limit) {
        setLine(next, limit);
        next = limit;
        return true;
      }
      if (!openNext()) {
        return false;
      }
    }
  }

  private void setLine(int from, int to) {
    lineFrom = from;
    lineTo = to > from && buffer[to - 1] == '\r' ? to - 1 : to;
  }

  byte[] buffer() {
    return buffer;
  }

  int lineFrom() {
    return lineFrom;
  }

  int lineTo() {
    return lineTo;
  }

  /**
   * The line was dealt with.
   *
   * @param millis its time, or {@link LogTime#NONE}
   */
  void release(long millis) {
    // Not a new position for each line: only what it is made of.
    releasedMillis = millis == LogTime.NONE ? releasedMillis : millis;
    releasedOffset = base + next;
  }

  /** Behind the last line that was released; null before the log was found. */
  LogPosition position() {
    if (releasedOffset >= 0) {
      position =
          new LogPosition(LogHead.of(head, headLength), inode, releasedOffset, releasedMillis);
    }
    return position;
  }

  /** Bytes of all lines so far. */
  long bytes() {
    return bytes;
  }

  /** How often lines are known to be lost: a file that we had not read to its end is gone or damaged. */
  long gaps() {
    return gaps;
  }

  // --- files ---

  private boolean openFirst() throws IOException {
    if (queue.isEmpty()) {
      List<RolledLogs.Seen> files = rolled.list();
      if (position != null) {
        queueFrom(files);
      } else if (!files.isEmpty() && files.get(files.size() - 1).live()) {
        queue.add(files.get(files.size() - 1));
        if (start == LogStart.END && !wasMissing) {
          return openNext() && goToEnd();
        }
      } else {
        // Between a rename and the next create, or before the first line. What comes then is all
        // new.
        wasMissing = true;
      }
    }
    return openNext();
  }

  private boolean goToEnd() throws IOException {
    headLength = LogHead.usable(head, file.head(head, LogHead.MOST));
    // A line that is being written is not ours.
    base = Math.max(0, endOfLines());
    file.seek(base);
    releasedOffset = base;
    releasedMillis = LogTime.NONE;
    return true;
  }

  /** Where the last whole line of the open file ends. */
  private long endOfLines() throws IOException {
    long end = 0;
    long at = 0;
    file.seek(0);
    int count;
    long size = Files.size(path);
    if (size > CHUNK) {
      at = size - CHUNK;
      file.seek(at);
      end = at;
    }
    while ((count = file.read(buffer, 0, CHUNK)) > 0) {
      for (int i = count - 1; i >= 0; i--) {
        if (buffer[i] == '\n') {
          end = at + i + 1;
          break;
        }
      }
      at += count;
    }
    return end;
  }

  /** Queues the file of the position, and all younger ones. */
  private void queueFrom(List<RolledLogs.Seen> files) throws IOException {
    int ours = -1;
    for (int i = 0; i < files.size() && ours < 0; i++) {
      if (files.get(i).is(position) && files.get(i).inode().equals(position.inode())) {
        ours = i;
      }
    }
    for (int i = 0; i < files.size() && ours < 0; i++) {
      if (files.get(i).is(position)) {
        ours = i;
      }
    }
    if (ours >= 0) {
      queue.addAll(files.subList(ours, files.size()));
      resume = true;
      return;
    }
    if (files.isEmpty()) {
      return;
    }
    gaps++;
    LOG.warn(
        "{}: the file that was read last is no longer there: what was written to it after {} bytes is lost",
        path,
        position.offset());
    for (RolledLogs.Seen candidate : files) {
      long newest =
          candidate.firstMillis() != LogTime.NONE
              ? candidate.firstMillis()
              : candidate.modifiedMillis();
      if (candidate.live() || newest >= position.lastMillis()) {
        queue.add(candidate);
      }
    }
  }

  private boolean openNext() throws IOException {
    closeFile();
    for (int attempt = 0; attempt < ATTEMPTS && !queue.isEmpty(); attempt++) {
      if (open(queue.peek())) {
        return true;
      }
    }
    return false;
  }

  /** False where it was renamed since it was listed; the queue is another one then. */
  private boolean open(RolledLogs.Seen seen) throws IOException {
    LogFile opened = null;
    try {
      opened = LogFile.open(seen.path());
      if (!LogFile.inode(seen.path()).equals(seen.inode())) {
        throw new NoSuchFileException(seen.path().toString());
      }
      int length = opened.isPlain() ? opened.head(head, LogHead.MOST) : 0;
      headLength = LogHead.usable(head, length);
      if (opened.isPlain()
          && seen.head().length > 0
          && !LogHead.of(seen.head(), seen.head().length).matches(head, length)) {
        // Copied and truncated since it was listed.
        throw new NoSuchFileException(seen.path().toString());
      }
    } catch (NoSuchFileException e) {
      // Find it again by how it begins.
      if (opened != null) {
        opened.close();
      }
      relist(seen);
      return false;
    }
    queue.remove();
    file = opened;
    inode = seen.inode();
    live = seen.live();
    unknownAtListing = LogHead.usable(seen.head(), seen.head().length) == 0;
    finished = false;
    base = 0;
    next = 0;
    scanned = 0;
    limit = 0;
    if (position == null) {
      releasedOffset = 0;
    }
    if (resume) {
      resume = false;
      headLength = LogHead.usable(head, file.head(head, LogHead.MOST));
      base = position.offset();
      releasedMillis = position.lastMillis();
      releasedOffset = base;
      if (!file.seek(base)) {
        gaps++;
        LOG.warn("{} has less than the {} bytes that were read of it", seen.path(), base);
      }
    }
    return true;
  }

  private void relist(RolledLogs.Seen wanted) throws IOException {
    queue.clear();
    List<RolledLogs.Seen> files = rolled.list();
    if (resume) {
      resume = false;
      queueFrom(files);
      return;
    }
    LogHead wantedHead = LogHead.of(wanted.head(), wanted.head().length);
    for (int i = 0; i < files.size(); i++) {
      RolledLogs.Seen candidate = files.get(i);
      boolean same =
          wantedHead.length() == 0
              ? candidate.inode().equals(wanted.inode())
              : wantedHead.matches(candidate.head(), candidate.head().length);
      if (same) {
        queue.addAll(files.subList(i, files.size()));
        return;
      }
    }
    if (wantedHead.length() > 0) {
      gaps++;
      LOG.warn("{} was removed before it was read", wanted.path());
    } else if (position == null) {
      if (!files.isEmpty()) {
        queue.add(files.get(files.size() - 1));
      }
      return;
    }
    queueFrom(files);
    if (resume) {
      // That one was read to its end.
      resume = false;
      queue.remove();
    }
  }

  /** Reads on; false where the file has no more at present. */
  private boolean fill() throws IOException {
    if (file == null || finished) {
      return false;
    }
    if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, limit - next);
      base += next;
      limit -= next;
      scanned -= next;
      next = 0;
    }
    if (limit == buffer.length - Long.BYTES) {
      buffer = Arrays.copyOf(buffer, 2 * (buffer.length - Long.BYTES) + Long.BYTES);
    }
    boolean unknown = headLength == 0;
    int count;
    try {
      count = file.read(buffer, limit, buffer.length - Long.BYTES - limit);
    } catch (IOException e) {
      if (file.isPlain()) {
        throw e;
      }
      gaps++;
      LOG.warn("the rest of a compressed log is lost: {}", e.toString());
      finished = true;
      return false;
    }
    if (file.isPlain() && !beginsAsBefore()) {
      truncated();
      return false;
    }
    if ((unknown || unknownAtListing)
        && live
        && position != null
        && position.head().length() > 0
        && (rolled.changed() || unknownAtListing && headLength > 0)) {
      // It may have been written to, copied and truncated since it was listed; that copy then comes
      // after the last file that was read.
      closeFile();
      queue.clear();
      queueFrom(rolled.list());
      return false;
    }
    if (count <= 0) {
      return false;
    }
    if (!file.isPlain() && headLength < LogHead.MOST && base + limit == headLength) {
      copyHead(count);
    }
    limit += count;
    bytes += count;
    return true;
  }

  private void copyHead(int count) {
    int more = Math.min(LogHead.MOST - headLength, count);
    System.arraycopy(buffer, limit, head, headLength, more);
    headLength += more;
  }

  /** Also learns more of how it begins, while that is short. */
  private boolean beginsAsBefore() throws IOException {
    int count = file.head(compared, LogHead.MOST);
    if (count < headLength || !Arrays.equals(compared, 0, headLength, head, 0, headLength)) {
      return false;
    }
    System.arraycopy(compared, headLength, head, headLength, count - headLength);
    headLength = LogHead.usable(head, count);
    return true;
  }

  /** The open file was truncated, and perhaps written again: what we had not read of it is in a copy, if anywhere. */
  private void truncated() throws IOException {
    LogPosition last = position();
    long unread = base + next;
    LogHead known = LogHead.of(head, headLength);
    closeFile();
    queue.clear();
    List<RolledLogs.Seen> files = rolled.list();
    for (int i = 0; i < files.size(); i++) {
      if (known.matches(files.get(i).head(), files.get(i).head().length)) {
        long millis = last == null ? Long.MIN_VALUE : last.lastMillis();
        position = new LogPosition(known, files.get(i).inode(), unread, millis);
        releasedOffset = -1;
        queue.addAll(files.subList(i, files.size()));
        resume = true;
        return;
      }
    }
    LOG.info("{} was truncated, and no copy of it is left", path);
    if (!files.isEmpty()) {
      queue.add(files.get(files.size() - 1));
    }
    if (last != null) {
      position = last;
    }
    releasedOffset = -1;
  }

  /** At the end of the open file: whether nothing more will be written to it. */
  private boolean isDone() throws IOException {
    if (finished || !file.isPlain()) {
      return true;
    }
    if (!queue.isEmpty() && !live) {
      return true;
    }
    String now;
    try {
      now = LogFile.inode(path);
    } catch (NoSuchFileException e) {
      return false;
    }
    if (now.equals(inode)) {
      return false;
    }
    // The name stands for another file. What was appended between our last read and the renaming
    // comes first.
    if (fill()) {
      return false;
    }
    if (queue.isEmpty()) {
      queueYounger();
    }
    return file != null && !queue.isEmpty();
  }

  private void queueYounger() throws IOException {
    List<RolledLogs.Seen> files = rolled.list();
    LogHead ours = LogHead.of(head, headLength);
    for (int i = 0; i < files.size(); i++) {
      RolledLogs.Seen candidate = files.get(i);
      boolean same =
          headLength == 0
              ? candidate.inode().equals(inode)
              : ours.matches(candidate.head(), candidate.head().length);
      if (same) {
        queue.addAll(files.subList(i + 1, files.size()));
        return;
      }
    }
    // Removed already, but read to its end: only files between it and the oldest one left may be
    // lost.
    long after = position() == null ? Long.MIN_VALUE : position().lastMillis();
    boolean all = true;
    for (RolledLogs.Seen candidate : files) {
      boolean younger =
          candidate.live()
              || candidate.firstMillis() != LogTime.NONE && candidate.firstMillis() >= after;
      if (younger) {
        queue.add(candidate);
      } else {
        all = false;
      }
    }
    if (all && files.size() > 1) {
      gaps++;
      LOG.warn("{}: was rolled more often than files are kept since the last look", path);
    }
  }

  private void closeFile() throws IOException {
    if (file != null) {
      // Later positions are in another file, once a line of that was released.
      position();
      releasedOffset = -1;
      file.close();
      file = null;
    }
  }

  @Override
  public void close() throws IOException {
    closeFile();
  }
}
