// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.PathHashes;

/** The entries of {@link RenameHistory} by the names in them, old and new. One thread changes it; any may ask. */
final class RenameIndex {

  /** Names in the filter for each entry of those that may be: what is deleted or replaced has one, not two. */
  private static final long NAMES_PER_ENTRY = 2;

  private final KeyTable<NumberedLine<RenameEntry>> byName = new KeyTable<>();
  private final KeyFilter filter;

  /** Of the names in the filter; most of the directories above a path need not be asked for. */
  private int depths;

  /** @param entries it is made for */
  RenameIndex(int entries) {
    this.filter = new KeyFilter(NAMES_PER_ENTRY * entries);
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Reads what tells whether a path has entries, so that it is in the cache then. */
  long fetch(PathHashes path) {
    // Directories further up are asked for so often that they are in the cache.
    int depth = path.depth();
    long sum = 0;
    for (int i = Math.max(1, depth - 1); i <= depth; i++) {
      sum += filter.fetch(path.key(i - 1), path.key(i));
    }
    return sum;
  }

  /** Reads what {@link #add} asks of a name, so that it is in the cache then. */
  long fetchName(long name) {
    return byName.fetch(name);
  }

  /** Reads what {@link #lastNumber} asks of entries, so that it is in the cache then; after {@link #fetch} of many. */
  long fetchEntries(PathHashes path) {
    long sum = 0;
    for (int i = 1; i <= path.depth(); i++) {
      if (mayBeNamed(path, i)) {
        NumberedLine<RenameEntry> entries = byName.first(path.key(i));
        sum += entries == null ? 0 : entries.last();
      }
    }
    return sum;
  }

  /**
   * The highest number of the entries that name the directory that the first so many names of a path make, or one above
   * it; 0 where there are none. For the thread that changes it.
   */
  long lastNumber(PathHashes path, int depth) {
    long number = 0;
    for (int i = 1; i <= depth; i++) {
      if (mayBeNamed(path, i)) {
        NumberedLine<RenameEntry> entries = byName.get(path.key(i));
        number = Math.max(number, entries == null ? 0 : entries.last());
      }
    }
    return number;
  }

  /** The last of those entries with a number below a given one; null where there is none. */
  RenameEntry last(PathHashes path, int depth, long before) {
    if (isEmpty()) {
      return null;
    }
    RenameEntry found = null;
    for (int i = 1; i <= depth; i++) {
      if (mayBeNamed(path, i)) {
        NumberedLine<RenameEntry> entries = byName.get(path.key(i));
        RenameEntry last = entries == null ? null : entries.lastBefore(before);
        if (last != null && (found == null || last.number() > found.number())) {
          found = last;
        }
      }
    }
    return found;
  }

  /** Whether an entry may name the directory that the first so many names make. */
  private boolean mayBeNamed(PathHashes path, int depth) {
    return (depths & depthBit(depth)) != 0
        && filter.mayContain(path.key(depth - 1), path.key(depth));
  }

  /** Adds an entry with a number larger than all before. */
  void add(RenameEntry entry) {
    add(entry.from(), entry);
    if (entry.isMove()) {
      add(entry.to(), entry);
    }
    addToFilter(entry);
  }

  private void add(long name, RenameEntry entry) {
    NumberedLine<RenameEntry> entries = byName.get(name);
    if (entries == null) {
      entries = new NumberedLine<>();
      entries.add(entry.number(), entry);
      byName.put(name, entries);
    } else {
      entries.add(entry.number(), entry);
    }
  }

  private void addToFilter(RenameEntry entry) {
    filter.add(entry.fromParent(), entry.from());
    depths |= depthBit(entry.fromDepth());
    if (entry.isMove()) {
      filter.add(entry.toParent(), entry.to());
      depths |= depthBit(entry.toDepth());
    }
  }

  private static int depthBit(int depth) {
    return 1 << Math.min(depth, Integer.SIZE - 1);
  }

  /** Removes an entry; the filter keeps its names until it is {@linkplain #refill made anew}. */
  void remove(RenameEntry entry) {
    remove(entry.from(), entry);
    if (entry.isMove()) {
      remove(entry.to(), entry);
    }
  }

  private void remove(long name, RenameEntry entry) {
    NumberedLine<RenameEntry> entries = byName.get(name);
    if (entries != null) {
      entries.drop(entry.number());
      if (entries.isEmpty()) {
        byName.remove(name);
      }
    }
  }

  /** Makes the filter anew, of those entries that there are. */
  void refill(RenameEntry[] some, RenameEntry[] others) {
    filter.clear();
    depths = 0;
    for (RenameEntry[] entries : new RenameEntry[][] {some, others}) {
      for (RenameEntry entry : entries) {
        addToFilter(entry);
      }
    }
  }
}
