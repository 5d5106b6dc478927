// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;

/**
 * The latest reads of one reader, with which its next read is compared. Not thread-safe.
 *
 * <p>Source: PRS, section 3.2.2: two objects are together when one is read at most max_window after the other. The
 * paper has one reader; of a cluster's thousands, what two of them read at the same time says nothing.
 */
public final class ReaderWindow {
  // A read counts once with each other object, so that a pair is never together more often than
  // either is read, and the ratios of equation 1 stay in 0 to 1. A read of X counts with the last
  // read of Y where that came after the last X (else that X was compared with it) and didn't count
  // with that X: each read has a bit for each of those before it that it counted with.

  /** Most reads that one is compared with: the bits. */
  static final int MOST = Long.SIZE - 1;

  private final long windowMillis;
  private final int neighbours;
  private final long[] objects;
  private final long[] millis;
  private final long[] counted;
  private final boolean[] readAgain;
  private int number;

  /** What is done with each object that a read is together with. */
  public interface Met {
    void together(long object);
  }

  public ReaderWindow(MiningSettings settings) {
    this.windowMillis = settings.window().toMillis();
    this.neighbours = settings.neighbours();
    int room = Integer.highestOneBit(neighbours) * 2;
    objects = new long[room];
    millis = new long[room];
    counted = new long[room];
    readAgain = new boolean[room];
  }

  /**
   * One read.
   *
   * @param object a number or a key, which stands for the same object in all reads
   * @param atMillis not earlier than the read before
   * @param met is told of each other object that it counts with, the latest first
   */
  public void read(long object, long atMillis, Met met) {
    int mask = objects.length - 1;
    int now = number;
    int oldest = Math.max(0, now - neighbours);
    int last = now - 1;
    while (last >= oldest && objects[last & mask] != object) {
      last--;
    }
    if (last >= oldest) {
      readAgain[last & mask] = true;
    }
    long bits = 0;
    for (int before = now - 1; before > last && isWithin(before & mask, atMillis); before--) {
      int at = before & mask;
      if (!readAgain[at] && (last < oldest || (counted[at] >>> before - last & 1) == 0)) {
        bits |= 1L << now - before;
        met.together(objects[at]);
      }
    }
    int at = now & mask;
    objects[at] = object;
    millis[at] = atMillis;
    counted[at] = bits;
    readAgain[at] = false;
    // The same places, however long it lasts.
    number = now + 1 == 1 << 30 ? objects.length : now + 1;
  }

  /** Objects have other numbers; one whose new number is -1 is together with nothing any more. */
  void renumber(int[] moved) {
    for (int at = 0; at < Math.min(number, objects.length); at++) {
      objects[at] = objects[at] < 0 ? -1 : moved[(int) objects[at]];
      readAgain[at] |= objects[at] < 0;
    }
  }

  private boolean isWithin(int at, long nowMillis) {
    return millis[at] >= nowMillis - windowMillis;
  }

  /** Whether a read at this time could be together with any of these. */
  boolean reaches(long nowMillis) {
    return number > 0 && isWithin(number - 1 & objects.length - 1, nowMillis);
  }

  /** Bytes of memory that one takes. */
  static long memory(MiningSettings settings) {
    return Integer.highestOneBit(settings.neighbours()) * 2 * 25L;
  }

  void writeTo(StateSink sink) {
    sink.number(number);
    for (int at = 0; at < Math.min(number, objects.length); at++) {
      sink.number(objects[at]);
      sink.number(millis[at]);
      sink.number(readAgain[at] ? ~counted[at] : counted[at]);
    }
  }

  void restore(StateSource source) {
    number = source.size(1 << 30);
    for (int at = 0; at < Math.min(number, objects.length); at++) {
      objects[at] = source.number();
      millis[at] = source.number();
      long bits = source.number();
      // The highest bit stands for no read.
      readAgain[at] = bits < 0;
      counted[at] = bits < 0 ? ~bits : bits;
    }
  }
}
