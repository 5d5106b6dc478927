// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which files of a log are to be read, one after the other: finds the one that was read last among those it was rolled
 * into, and what follows it. Not thread-safe.
 */
final class LogRotation {

  private static final Logger LOG = LoggerFactory.getLogger(LogRotation.class);

  private final Path path;
  private final RolledLogs rolled;
  private final Deque<RolledLogs.Seen> queue = new ArrayDeque<>();
  private boolean resumes;
  private long gaps;

  LogRotation(Path path, ZoneId zone) {
    this.path = path;
    this.rolled = new RolledLogs(path, zone);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  RolledLogs.Seen first() {
    return queue.peek();
  }

  /**
   * The first is read from now on.
   *
   * @return whether it is the file of the position, and to be read from there
   */
  boolean removeFirst() {
    queue.remove();
    boolean resumed = resumes;
    resumes = false;
    return resumed;
  }

  /** How often lines are known to be lost. */
  long gaps() {
    return gaps;
  }

  void addGap() {
    gaps++;
  }

  /** Whether files came, went or were renamed since they were listed. */
  boolean changed() throws IOException {
    return rolled.changed();
  }

  /** Only the file being written; false where there is none. */
  boolean beginWithLive() throws IOException {
    List<RolledLogs.Seen> files = rolled.list();
    if (files.isEmpty() || !files.get(files.size() - 1).live()) {
      return false;
    }
    queue.add(files.get(files.size() - 1));
    return true;
  }

  /** The file of the position, and all younger ones. */
  void resumeFrom(LogPosition position) throws IOException {
    queue.clear();
    resumeFrom(position, rolled.list());
  }

  private void resumeFrom(LogPosition position, List<RolledLogs.Seen> files) {
    int ours = indexOf(files, file -> file.is(position) && file.inode().equals(position.inode()));
    if (ours < 0) {
      ours = indexOf(files, file -> file.is(position));
    }
    resumes = ours >= 0;
    if (ours >= 0) {
      queue.addAll(files.subList(ours, files.size()));
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

  /**
   * The first of them is no longer what it was when it was listed: finds it again by how it begins.
   *
   * @param position behind the last line that was read; null before the first
   */
  void findFirstAgain(LogPosition position) throws IOException {
    RolledLogs.Seen wanted = queue.peek();
    queue.clear();
    List<RolledLogs.Seen> files = rolled.list();
    if (resumes) {
      resumeFrom(position, files);
      return;
    }
    LogHead head = LogHead.of(wanted.head(), wanted.head().length);
    int found = indexOf(files, head, wanted.inode());
    if (found >= 0) {
      queue.addAll(files.subList(found, files.size()));
      return;
    }
    if (head.length() > 0) {
      gaps++;
      LOG.warn("{} was removed before it was read", wanted.path());
    }
    if (position == null) {
      addLast(files);
      return;
    }
    resumeFrom(position, files);
    if (resumes) {
      // That one was read to its end.
      removeFirst();
    }
  }

  /**
   * The open file was copied and truncated: what was not read of it is in the copy, if anywhere.
   *
   * @return the copy, which is read on from the position; null where there is none, and the file is read from its
   *     start
   */
  RolledLogs.Seen resumeInCopy(LogHead known) throws IOException {
    queue.clear();
    List<RolledLogs.Seen> files = rolled.list();
    int copy = indexOf(files, file -> known.matches(file.head(), file.head().length));
    if (copy < 0) {
      LOG.info("{} was truncated, and no copy of it is left", path);
      addLast(files);
      return null;
    }
    queue.addAll(files.subList(copy, files.size()));
    resumes = true;
    return files.get(copy);
  }

  /** Whether there are files after one, which came since they were listed. */
  boolean hasYounger(LogHead head, String inode) throws IOException {
    if (!rolled.changed()) {
      return false;
    }
    List<RolledLogs.Seen> files = rolled.list();
    int found = indexOf(files, head, inode);
    return found >= 0 && found + 1 < files.size();
  }

  /**
   * The files after one that was rolled, and read to its end.
   *
   * @param afterMillis time of its last line
   */
  void addYounger(LogHead head, String inode, long afterMillis) throws IOException {
    List<RolledLogs.Seen> files = rolled.list();
    int found = indexOf(files, head, inode);
    if (found >= 0) {
      queue.addAll(files.subList(found + 1, files.size()));
      return;
    }
    // Removed already, but read to its end: only files between it and the oldest one left may be
    // lost.
    boolean all = true;
    for (RolledLogs.Seen candidate : files) {
      boolean younger =
          candidate.live()
              || candidate.firstMillis() != LogTime.NONE && candidate.firstMillis() >= afterMillis;
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

  private void addLast(List<RolledLogs.Seen> files) {
    if (!files.isEmpty()) {
      queue.add(files.get(files.size() - 1));
    }
  }

  /** By how it begins, or where that says nothing by its inode. */
  private static int indexOf(List<RolledLogs.Seen> files, LogHead head, String inode) {
    return indexOf(
        files,
        file ->
            head.length() == 0
                ? file.inode().equals(inode)
                : head.matches(file.head(), file.head().length));
  }

  private static int indexOf(List<RolledLogs.Seen> files, Predicate<RolledLogs.Seen> wanted) {
    for (int i = 0; i < files.size(); i++) {
      if (wanted.test(files.get(i))) {
        return i;
      }
    }
    return -1;
  }
}
