// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

/**
 * What an administrator says of one storage type.
 *
 * @param lowerWatermark W_l of SUORA section 3.4.1, as a fraction of capacity: promotion fills up to
 *     here, and cold migration empties down to here
 * @param upperWatermark W_u: cold migration begins above it
 * @param threshold v of the bucket (section 3.1.3), in cooled reads: data less hot than this is never
 *     promoted into it
 * @param demoteBelow cooled reads: what is less hot leaves a fast type though there is room; at most the threshold,
 *     0 for never
 */
public record TierLimits(
    double lowerWatermark, double upperWatermark, double threshold, double demoteBelow) {

  /** Of a type that data leaves only for want of room. */
  public TierLimits(double lowerWatermark, double upperWatermark, double threshold) {
    this(lowerWatermark, upperWatermark, threshold, 0);
  }

  public TierLimits {
    if (!(lowerWatermark > 0 && lowerWatermark <= upperWatermark && upperWatermark <= 1)) {
      throw new IllegalArgumentException(
          "watermarks "
              + lowerWatermark
              + " and "
              + upperWatermark
              + ": expected 0 < lower <= upper <= 1");
    }
    if (!(threshold >= 0)) {
      throw new IllegalArgumentException("threshold " + threshold + ": expected at least 0");
    }
    if (!(demoteBelow >= 0 && demoteBelow <= threshold)) {
      throw new IllegalArgumentException(
          "demoteBelow " + demoteBelow + ": expected 0 to the threshold of " + threshold);
    }
  }
}
