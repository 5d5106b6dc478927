// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

/** Where the replicas of a key go, by whatever algorithm: the same key, the same devices. */
@FunctionalInterface
public interface ReplicaPlacement {
  /**
   * Places one replica after the other.
   *
   * @param devices gets the numbers of distinct devices, the first replica's first
   * @param from index of the first
   * @param to index behind the last
   * @return how many were placed, at most {@code to - from}
   */
  int place(long key, int[] devices, int from, int to);
}
