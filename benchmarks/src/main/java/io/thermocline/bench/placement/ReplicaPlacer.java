// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

/** Finds the nodes of a key. Made for one thread; nodes are numbered from 0. */
public interface ReplicaPlacer {
  /**
   * Sets the nodes of a key, as many as the array is long where the placer knows several.
   *
   * @param key of any bits
   */
  void place(long key, int[] nodes);

  /** Memory of the tables, 0 where there are none. */
  long bytes();
}
