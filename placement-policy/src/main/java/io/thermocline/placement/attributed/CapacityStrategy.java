// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

/**
 * Which virtual node of a homogeneous sector: {@code f(x, r) = (hash(x) + r p) mod s}. Virtual nodes stand
 * for capacity, so an even choice among them is in proportion to capacity. Pure.
 *
 * <p>Source: attributedCH, section 3.4.1.
 */
final class CapacityStrategy {
  /**
   * p. The paper draws a prime above s for each ring. Any prime above the largest sector does: it has
   * no divisor in common with the sector's size, so that steps of p come to every member once.
   */
  static final int PRIME = 65_537;

  private CapacityStrategy() {}

  /**
   * Index of the member that a replica starts from.
   *
   * @param base members that the sector was laid out with; those behind it, up to {@code size}, were
   *     merged in later
   */
  static int first(long hash, int replica, int base, int size) {
    // Both terms under 2^30, so that their sum is an int and no sign gets in the way.
    int numerator = ((int) hash & 0x3FFF_FFFF) + (replica & 0x3FFF) * PRIME;
    // A division takes longer than all the rest; the usual s = 4 needs none.
    int member = (base & base - 1) == 0 ? numerator & base - 1 : numerator % base;
    return base == size ? member : merged(member, hash, replica, base, size);
  }

  /** Index of the member after that many steps of p. */
  static int step(int first, int steps, int size) {
    return steps == 0 ? first : (int) ((first + (long) steps * PRIME) % size);
  }

  /** Member k takes one of k + 1 keys from those before it, and none of them anything from another. */
  private static int merged(int first, long hash, int replica, int base, int size) {
    int member = first;
    for (int k = base; k < size; k++) {
      if (Hash.unit(hash, ((long) replica << 16) + k) * (k + 1) < 1) {
        member = k;
      }
    }
    return member;
  }
}
