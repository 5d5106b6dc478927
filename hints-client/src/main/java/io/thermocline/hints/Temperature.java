// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

/**
 * How hot the application expects its data to be. Named degrees rather than counts: the hotness
 * thresholds between the buckets are tuned by the cluster, and no application knows them.
 */
public enum Temperature {
  UNKNOWN,
  COLD,
  WARM,
  HOT
}
