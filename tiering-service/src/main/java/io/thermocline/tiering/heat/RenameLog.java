// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.Arrays;

/**
 * The entries of {@link RenameHistory} in the order of their numbers: those that last, and deletions,
 * which may come to last. Each is added and dropped in constant time, but for a search by number.
 * One thread.
 */
final class RenameLog {

  private static final int LEAST = 16;

  /** Dropped ones leave their place empty until the next time that there is none at the end. */
  private RenameEntry[] entries = new RenameEntry[LEAST];

  private long[] numbers = new long[LEAST];
  private boolean[] lasts = new boolean[LEAST];
  private int end;
  private final Kind lasting = new Kind();
  private final Kind deletions = new Kind();

  private static final class Kind {
    int size;

    /** None of the kind stands before. */
    int first;
  }

  private Kind kind(boolean last) {
    return last ? lasting : deletions;
  }

  /** How many last, or are deletions. */
  int size(boolean last) {
    return kind(last).size;
  }

  int size() {
    return lasting.size + deletions.size;
  }

  /**
   * Adds an entry.
   *
   * @param entry with a number larger than all before
   * @param last false for a deletion
   */
  void add(RenameEntry entry, boolean last) {
    if (end == entries.length) {
      dropEmptyPlaces();
    }
    entries[end] = entry;
    numbers[end] = entry.number();
    lasts[end++] = last;
    kind(last).size++;
  }

  private void dropEmptyPlaces() {
    int length = Math.max(LEAST, 2 * size());
    RenameEntry[] oldEntries = entries;
    boolean[] oldLasts = lasts;
    entries = new RenameEntry[length];
    numbers = new long[length];
    lasts = new boolean[length];
    lasting.size = lasting.first = deletions.size = deletions.first = end = 0;
    for (int i = 0; i < oldEntries.length; i++) {
      if (oldEntries[i] != null) {
        add(oldEntries[i], oldLasts[i]);
      }
    }
  }

  /** Has a deletion last; false where the number is of no deletion. */
  boolean promote(long number) {
    int at = Arrays.binarySearch(numbers, 0, end, number);
    if (at < 0 || entries[at] == null || lasts[at]) {
      return false;
    }
    lasts[at] = true;
    deletions.size--;
    lasting.size++;
    lasting.first = Math.min(lasting.first, at);
    return true;
  }

  void drop(long number) {
    int at = Arrays.binarySearch(numbers, 0, end, number);
    entries[at] = null;
    kind(lasts[at]).size--;
  }

  /** The oldest of those that last, or of the deletions; null where there is none. */
  RenameEntry first(boolean last) {
    Kind kind = kind(last);
    while (kind.first < end && (entries[kind.first] == null || lasts[kind.first] != last)) {
      kind.first++;
    }
    return kind.first < end ? entries[kind.first] : null;
  }

  /** The first whose number is at least the given one; null where there is none. */
  RenameEntry from(long number) {
    int found = Arrays.binarySearch(numbers, 0, end, number);
    int at = found < 0 ? -found - 1 : found;
    while (at < end && entries[at] == null) {
      at++;
    }
    return at < end ? entries[at] : null;
  }

  /** Those that last, or the deletions. */
  RenameEntry[] of(boolean last) {
    RenameEntry[] found = new RenameEntry[kind(last).size];
    int count = 0;
    for (int i = 0; i < end; i++) {
      if (entries[i] != null && lasts[i] == last) {
        found[count++] = entries[i];
      }
    }
    return found;
  }
}
