// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

/**
 * What one volume of a pool can serve at most, as far as is known: what equation 3.5 takes the performance left from.
 *
 * @param requests random ones a second
 * @param bytes a second, in sequence
 */
public record VolumeSpeed(double requests, double bytes) {
  public VolumeSpeed {
    if (!(requests > 0) || !(bytes > 0)) {
      throw new IllegalArgumentException(
          requests + " requests and " + bytes + " bytes a second: must be above 0");
    }
  }
}
