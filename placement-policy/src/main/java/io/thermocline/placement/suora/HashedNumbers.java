// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/**
 * Generator k of a data id: number i is a hash of (key, seed, k, i), so that nothing but the position
 * is kept. Not thread-safe.
 */
final class HashedNumbers implements NumberSource {
  // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a Weyl sequence through a 64-bit finaliser.
  // Streams differ by their start, itself mixed from key, seed and k, so neighbouring keys share
  // nothing.
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final double range;
  private final double scale;
  private long state;

  HashedNumbers(long key, long seed, int generator) {
    this.range = RandomSequence.rangeOf(generator);
    this.scale = range * 0x1.0p-53;
    this.state = mix(key + mix(seed + (generator + 1) * GOLDEN_GAMMA));
  }

  @Override
  public double next() {
    state += GOLDEN_GAMMA;
    return (mix(state) >>> 11) * scale;
  }

  @Override
  public double range() {
    return range;
  }

  /** A bijection on 64 bits in which every input bit reaches every output bit. */
  static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
