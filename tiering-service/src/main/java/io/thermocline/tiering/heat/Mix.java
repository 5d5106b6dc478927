// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/** Mixing of 64 bits: splitmix64 (Steele, Lea and Flood, 2014). Stateless. */
public final class Mix {
  /** Added for each further number of a sequence. */
  static final long GAMMA = 0x9e3779b97f4a7c15L;

  private Mix() {}

  public static long of(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
