// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

/**
 * How ChewAnalyzer++ splits.
 *
 * @param leastBytes Ch0 of algorithm 2: only chunks of more than this are split, and no part has fewer
 * @param parts p of algorithm 2, at least 2
 * @param mergeAfter epochs for which all parts must have been alike before they are one chunk again, at
 *     least 1
 */
public record SplitLimits(long leastBytes, int parts, int mergeAfter) {
  public SplitLimits {
    if (leastBytes <= 0 || parts < 2 || mergeAfter < 1) {
      throw new IllegalArgumentException(
          "parts of at least %d bytes (above 0), %d of them (from 2), merged after %d epochs (from 1)"
              .formatted(leastBytes, parts, mergeAfter));
    }
  }
}
