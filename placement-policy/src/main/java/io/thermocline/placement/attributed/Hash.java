// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

/** The hashes of a ring: of keys, of device ids, and numbers drawn from them. All pure. */
final class Hash {
  // The upper half of a key's hash is its position (h2 of section 3.3), the lower half what the
  // capacity strategy calls hash(x). Were it one number, a key's place among the members of its
  // sector would follow from its place on the arc.
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  private Hash() {}

  /** SplitMix64's finaliser: a bijection in which every input bit reaches every output bit. */
  static long mix(long value) {
    long z = value + GOLDEN_GAMMA;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** FNV-1a of the characters, the paper's choice for ids. */
  static long ofId(String id) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }

  /** h1: position on the ring of virtual node i of a device, unsigned. */
  static int position(String deviceId, int virtualNode) {
    return (int) (mix(mix(ofId(deviceId)) + virtualNode * GOLDEN_GAMMA) >>> 32);
  }

  /** Number {@code stream} of a key's hash, in [0, 1). */
  static double unit(long hash, long stream) {
    return (mix(hash + (stream + 1) * GOLDEN_GAMMA) >>> 11) * 0x1.0p-53;
  }
}
