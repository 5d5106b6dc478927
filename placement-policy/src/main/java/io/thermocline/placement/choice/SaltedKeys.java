// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

/**
 * The keys under which one object is placed several times: the k hash functions of CHOICE's algorithm 1.
 * The same on every machine and for good.
 */
public final class SaltedKeys {
  // The algorithm appends the salt's digits to the object's id. Here the id becomes a key first and
  // the salt is mixed into that: no text is built for a candidate, and id "a" with salt 11 isn't
  // id "a1" with salt 1.

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final long SALT_STEP = 0x9E3779B97F4A7C15L;

  private SaltedKeys() {}

  /** The key of an object's id, for example an absolute path. */
  public static long keyOf(String objectId) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < objectId.length(); i++) {
      hash = (hash ^ objectId.charAt(i)) * FNV_PRIME;
    }
    return mix(hash);
  }

  /**
   * The key for one more placement of the same object.
   *
   * @param salt 0 gives the key itself, so that the first candidate is the plain placement
   */
  public static long salted(long key, int salt) {
    return salt == 0 ? key : mix(mix(key) + salt * SALT_STEP);
  }

  /** SplitMix64's finaliser: a bijection in which every input bit reaches every output bit. */
  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
