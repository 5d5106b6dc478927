// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

/**
 * How much one plan may ask of the cluster.
 *
 * @param moves replicas
 * @param bytes of all of them together
 * @param fill how full, from 0 to 1, a plan may make one storage
 */
public record Budget(int moves, long bytes, double fill) {

  public Budget {
    if (moves < 1 || bytes < 1 || !(fill > 0 && fill <= 1)) {
      throw new IllegalArgumentException(
          "moves "
              + moves
              + ", bytes "
              + bytes
              + ", fill "
              + fill
              + ": expected at least 1, at least 1, and 0 < fill <= 1");
    }
  }
}
