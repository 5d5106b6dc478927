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
  static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final int generator;
  private final long start;
  private int index;

  HashedNumbers(long key, long seed, int generator) {
    this.generator = generator;
    this.start = start(key, stream(seed, generator));
  }

  @Override
  public double next() {
    return number(start, generator, index++);
  }

  @Override
  public double range() {
    return RandomSequence.rangeOf(generator);
  }

  /** What a generator's seed comes to. */
  static long stream(long seed, int generator) {
    return mix(seed + (generator + 1) * GOLDEN_GAMMA);
  }

  /** Where a key's numbers of a stream start. */
  static long start(long key, long stream) {
    return mix(key + stream);
  }

  /** Number {@code index} of generator k, in {@code [0, 16 * 2^k)}. */
  static double number(long start, int generator, int index) {
    return (mix(start + (index + 1L) * GOLDEN_GAMMA) >>> 11)
        * (RandomSequence.rangeOf(generator) * 0x1.0p-53);
  }

  /** A bijection on 64 bits in which every input bit reaches every output bit. */
  static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
