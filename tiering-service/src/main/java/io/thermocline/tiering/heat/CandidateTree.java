// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.PathHashes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Candidates below the directories of their paths, so that what is done to a directory touches those below it
 * and no others. One thread.
 */
final class CandidateTree {

  /** A directory with candidates somewhere below it. */
  private static final class Directory {
    final long key;
    Directory parent;
    Directory firstChild;
    Directory before;
    Directory after;

    /** Of those that lie right in it; they are linked like directories. */
    Candidate firstCandidate;

    Directory(long key) {
      this.key = key;
    }

    boolean isEmpty() {
      return firstCandidate == null && firstChild == null;
    }

    void add(Candidate candidate) {
      candidate.before = null;
      candidate.after = firstCandidate;
      if (firstCandidate != null) {
        firstCandidate.before = candidate;
      }
      firstCandidate = candidate;
    }

    void remove(Candidate candidate) {
      if (candidate.before == null) {
        firstCandidate = candidate.after;
      } else {
        candidate.before.after = candidate.after;
      }
      if (candidate.after != null) {
        candidate.after.before = candidate.before;
      }
    }

    void add(Directory child) {
      child.parent = this;
      child.after = firstChild;
      if (firstChild != null) {
        firstChild.before = child;
      }
      firstChild = child;
    }

    void remove(Directory child) {
      if (child.before == null) {
        firstChild = child.after;
      } else {
        child.before.after = child.after;
      }
      if (child.after != null) {
        child.after.before = child.before;
      }
    }
  }

  private final KeyTable<Directory> directories = new KeyTable<>();

  void add(Candidate candidate, PathHashes path) {
    candidate.parentKey = path.parentKey();
    directory(path, Math.max(0, path.depth() - 1)).add(candidate);
  }

  /** The directory of the first so many names, made with those above it where it isn't there. */
  private Directory directory(PathHashes path, int depth) {
    Directory wanted = directories.get(path.key(depth));
    if (wanted != null) {
      return wanted;
    }
    wanted = new Directory(path.key(depth));
    directories.put(wanted.key, wanted);
    Directory child = wanted;
    for (int i = depth - 1; i >= 0; i--) {
      Directory known = directories.get(path.key(i));
      Directory parent = known == null ? new Directory(path.key(i)) : known;
      parent.add(child);
      if (known != null) {
        break;
      }
      directories.put(parent.key, parent);
      child = parent;
    }
    return wanted;
  }

  void remove(Candidate candidate) {
    Directory directory = directories.get(candidate.parentKey);
    directory.remove(candidate);
    while (directory != null && directory.isEmpty()) {
      directories.remove(directory.key);
      if (directory.parent != null) {
        directory.parent.remove(directory);
      }
      directory = directory.parent;
    }
  }

  /** Reads what {@link #below} will ask first, so that it is in the cache then. */
  long fetch(long directoryKey) {
    return directories.fetch(directoryKey);
  }

  /** Those below a directory, in an order that doesn't depend on how they got here. */
  List<Candidate> below(long directoryKey) {
    Directory top = directories.get(directoryKey);
    if (top == null) {
      return List.of();
    }
    List<Candidate> found = new ArrayList<>();
    Deque<Directory> open = new ArrayDeque<>();
    open.add(top);
    while (!open.isEmpty()) {
      Directory directory = open.removeLast();
      for (Candidate in = directory.firstCandidate; in != null; in = in.after) {
        found.add(in);
      }
      for (Directory child = directory.firstChild; child != null; child = child.after) {
        open.add(child);
      }
    }
    found.sort(Comparator.comparingLong(candidate -> candidate.pathKey));
    return found;
  }
}
