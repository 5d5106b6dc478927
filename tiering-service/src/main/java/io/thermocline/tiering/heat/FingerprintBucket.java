// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * A bucket of {@link FingerprintHotnessTable}, two longs in a row of them: five fingerprints of 12 bits, and five
 * counters of 12 bits below a tag of four. A counter of 0 means that the slot is free. Stateless.
 */
final class FingerprintBucket {
  static final int SLOTS = 5;
  static final int FINGERPRINT_MASK = 0xFFF;

  /** A 1 in each of the five lanes. */
  private static final long LANES = 0x001_001_001_001_001L;

  private static final long LOW_11 = 0x7FF * LANES;
  private static final long TOP_OF_LANE = 0x800 * LANES;
  static final long ALL_LANES = 0xFFF * LANES;
  static final int TAG_SHIFT = 60;
  static final int TAG_MASK = 15;

  private FingerprintBucket() {}

  /** The top bit of each lane whose fingerprint is this one and whose count isn't 0. */
  static long matches(long fingerprints, long counts, int fingerprint) {
    long differing = fingerprints ^ fingerprint * LANES;
    return ~nonZeroLanes(differing) & nonZeroLanes(counts);
  }

  /** The top bit of each lane that isn't 0. Exact: no carry leaves a lane. */
  private static long nonZeroLanes(long word) {
    return ((word & LOW_11) + LOW_11 | word) & TOP_OF_LANE;
  }

  /** How far the first of the lanes with a top bit is from the lowest one. */
  static int laneShift(long topBits) {
    return Long.numberOfTrailingZeros(topBits) - (CounterCode.BITS - 1);
  }

  static boolean isFull(long[] words, int at) {
    return nonZeroLanes(words[at + 1]) == TOP_OF_LANE;
  }

  static int fingerprint(long[] words, int at, int slot) {
    return (int) (words[at] >>> slot * CounterCode.BITS) & FINGERPRINT_MASK;
  }

  static int code(long[] words, int at, int slot) {
    return codeAt(words, at, slot * CounterCode.BITS);
  }

  /** The counter of the lane of a shift. */
  static int codeAt(long[] words, int at, int shift) {
    return (int) (words[at + 1] >>> shift) & CounterCode.MAX;
  }

  static void setCode(long[] words, int at, int shift, int code) {
    long cleared = words[at + 1] & ~((long) CounterCode.MAX << shift);
    words[at + 1] = cleared | (long) code << shift;
  }

  static void clear(long[] words, int at, int slot) {
    setCode(words, at, slot * CounterCode.BITS, 0);
  }

  /** Puts an item into the first free slot of a bucket that isn't full. */
  static void put(long[] words, int at, int fingerprint, int code) {
    int shift = laneShift(~nonZeroLanes(words[at + 1]) & TOP_OF_LANE);
    long cleared = words[at] & ~((long) FINGERPRINT_MASK << shift);
    words[at] = cleared | (long) fingerprint << shift;
    setCode(words, at, shift, code);
  }
}
