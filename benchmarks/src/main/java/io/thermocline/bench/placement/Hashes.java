// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

/** The same hash for all peers that need one: SplitMix64's finaliser. */
final class Hashes {
  static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private Hashes() {}

  static long hash(long key, long salt) {
    return mix(mix(key) + (salt + 1) * GOLDEN_GAMMA);
  }

  static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  static boolean contains(int[] nodes, int count, int node) {
    for (int i = 0; i < count; i++) {
      if (nodes[i] == node) {
        return true;
      }
    }
    return false;
  }
}
