// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.PathHashes;

/**
 * The directories below which something was read lately: tells the renames that take heat along from
 * those of fresh or unread data, which are most. One thread. Errs by yes only, in about 1 % while no more
 * directories are read in a generation than it was made for.
 */
final class ReadDirectories {

  /*
   * Two filters, of this generation and of the one before. A file is entered when it is first read
   * and, so that files that stay warm are in each generation, at every 32nd read of any file, on average.
   * So a directory is missed where nothing below it was read for the first time in two generations (six to
   * twelve half-lives), and n reads of what was known are none of those sampled: (31/32)^n.
   */
  private static final long SAMPLE_MASK = 31;

  private KeyFilter current;
  private KeyFilter previous;
  private long since;
  private long random;

  /**
   * @param directories it is made for; memory is 4 bytes each
   */
  ReadDirectories(int directories, long step) {
    this.current = new KeyFilter((long) directories);
    this.previous = new KeyFilter((long) directories);
    this.since = step;
  }

  /** Whether this read, not the first of its file, is one of those to be entered. */
  boolean samples() {
    random += Mix.GAMMA;
    return (Mix.of(random) & SAMPLE_MASK) == 0;
  }

  /** Enters all directories above a file. */
  void addAbove(PathHashes file) {
    add(file, file.depth() - 1);
  }

  /** Enters a directory and all above it. */
  void add(PathHashes directory) {
    add(directory, directory.depth());
  }

  private void add(PathHashes path, int depth) {
    for (int i = 1; i <= depth; i++) {
      current.add(path.key(i), path.key(i));
    }
  }

  /** Whether a directory of this key was entered. */
  boolean contains(long key) {
    return current.mayContain(key, key) || previous.mayContain(key, key);
  }

  /** Reads what {@link #contains} will, so that it is in the cache then. */
  long fetch(long key) {
    return current.fetch(key, key) + previous.fetch(key, key);
  }

  /** Begins a generation where the current one is old enough. */
  void coolTo(long step) {
    if (step - since >= RenameHistory.IN_FORCE_STEPS) {
      KeyFilter oldest = previous;
      previous = current;
      oldest.clear();
      current = oldest;
      since = step;
    }
  }

  SavedState freeze() {
    long[] numbers = {since, random};
    SavedState now = current.freeze();
    SavedState before = previous.freeze();
    return sink -> {
      sink.words(numbers);
      now.writeTo(sink);
      before.writeTo(sink);
    };
  }

  static ReadDirectories restore(StateSource source) {
    return new ReadDirectories(source);
  }

  private ReadDirectories(StateSource source) {
    since = source.number();
    random = source.number();
    current = KeyFilter.restore(source);
    previous = KeyFilter.restore(source);
  }
}
