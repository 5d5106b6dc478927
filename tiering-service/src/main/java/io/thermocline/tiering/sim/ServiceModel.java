// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/** How long accesses take. It is told of everything in the order of time. */
public interface ServiceModel {

  /**
   * An access.
   *
   * @param shares of it that each tier serves; not kept
   * @return seconds from its arrival to its end
   */
  double serve(FileAccess access, double[] shares);

  /** A move that takes place from one moment to another, which loads both tiers meanwhile. */
  void moves(Transfer transfer);

  /**
   * A running move.
   *
   * @param file which file
   * @param bytes its size
   * @param source tier it is read from
   * @param target tier it is written to
   * @param beginMicros when it begins
   * @param endMicros when it ends
   */
  record Transfer(int file, long bytes, int source, int target, long beginMicros, long endMicros) {}
}
