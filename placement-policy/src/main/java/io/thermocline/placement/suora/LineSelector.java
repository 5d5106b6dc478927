// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import io.thermocline.placement.model.DeviceSelector;
import java.util.function.IntPredicate;

/**
 * A number line's choices by the hashed sequences of one seed, without making a sequence. Immutable, safe
 * for any thread, allocates nothing in the first {@value #MOST_COUNTED} draws.
 */
final class LineSelector implements DeviceSelector {
  // A sequence is as many counters as it has generators. Each generator is asked about half as
  // often as the one above it, so the counters of the eight highest, 16 bits each, are kept in
  // two longs, and what a deeper one has given so far is counted anew when it is asked: that of
  // the eighth has given one in 256 numbers only.

  private static final int MOST_COUNTED = 0xFFFF;
  private static final int COUNTER_BITS = 16;
  private static final int COUNTERS = 4;

  private final NumberLine line;
  private final long seed;
  private final int level;

  /** By generator, what its seed comes to. */
  private final long[] streams;

  LineSelector(NumberLine line, long seed) {
    this.line = line;
    this.seed = seed;
    this.level = RandomSequence.hashedLevelCovering(line.end());
    this.streams = new long[level + 1];
    for (int k = 0; k <= level; k++) {
      streams[k] = HashedNumbers.stream(seed, k);
    }
  }

  @Override
  public int select(long key, IntPredicate accept, int maxTries) {
    if (line.devices() == 0) {
      return NONE;
    }
    long near = 0;
    long far = 0;
    int tries = Math.min(maxTries, MOST_COUNTED);
    for (int draw = 0; draw < tries; draw++) {
      int k = level;
      int index = draw;
      double number = number(key, k, index);
      while (k > 0 && number < RandomSequence.rangeOf(k - 1)) {
        int depth = level - k;
        k--;
        int shift = depth % COUNTERS * COUNTER_BITS;
        if (depth < COUNTERS) {
          index = (int) (near >>> shift) & MOST_COUNTED;
          near += 1L << shift;
        } else if (depth < 2 * COUNTERS) {
          index = (int) (far >>> shift) & MOST_COUNTED;
          far += 1L << shift;
        } else {
          index = passedOn(key, k + 1, index);
        }
        number = number(key, k, index);
      }
      int device = line.deviceAt(number);
      if (device != NONE && accept.test(device)) {
        return device;
      }
    }
    return maxTries > tries ? selectLate(key, accept, maxTries - tries) : NONE;
  }

  @Override
  public double[] weights() {
    return line.lengths();
  }

  @Override
  public int devices() {
    return line.devices();
  }

  @Override
  public String deviceId(int index) {
    return line.deviceId(index);
  }

  /** Number of that index of generator k. */
  private double number(long key, int k, int index) {
    return HashedNumbers.number(HashedNumbers.start(key, streams[k]), k, index);
  }

  /** How many of a generator's first numbers were left to the one below. */
  private int passedOn(long key, int k, int numbers) {
    int passed = 0;
    for (int i = 0; i < numbers; i++) {
      if (number(key, k, i) < RandomSequence.rangeOf(k - 1)) {
        passed++;
      }
    }
    return passed;
  }

  /** Where the counters are full. */
  private int selectLate(long key, IntPredicate accept, int tries) {
    RandomSequence sequence = RandomSequence.of(key, seed);
    for (int draw = 0; draw < MOST_COUNTED; draw++) {
      sequence.nextAt(level);
    }
    return line.place(sequence, accept, tries);
  }
}
