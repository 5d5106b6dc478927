// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * How often each item was read, cooled, in a fixed amount of memory (SUORA section 3.3). All replicas of
 * an item share its counts. Implementations say which threads may do what.
 */
public interface HotnessTable {

  /**
   * Counts reads of an item.
   *
   * @param key a well-mixed 64-bit hash
   * @param reads at least 1
   * @return the reads of the item now, these included; exactly {@code reads} where it had none
   */
  double add(long key, int reads);

  /** The cooled reads of an item: what SUORA compares with the thresholds of the buckets. */
  double estimate(long key);

  /**
   * Lets all counts cool up to a moment.
   *
   * @param step of {@link Decay}; one that is past is ignored
   */
  void coolTo(long step);

  /** What the counters take up. */
  long bytes();

  /**
   * The bucket an item belongs to: the highest whose threshold the item's counts reach (figure 7).
   *
   * @param thresholds ascending, v_0 first
   */
  default int bucket(long key, double[] thresholds) {
    double reads = estimate(key);
    int bucket = thresholds.length - 1;
    while (bucket > 0 && reads < thresholds[bucket]) {
      bucket--;
    }
    return bucket;
  }
}
