// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/** Turns a path into the 64-bit key of the hotness table. */
final class Keys {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Keys() {}

  /**
   * A well-mixed hash of nameservice and path: FNV-1a over the characters, finished by the mixer of
   * splitmix64, since FNV alone leaves the high bits of short strings alike.
   */
  static long of(String nameservice, String path) {
    long hash = fnv(fnv(FNV_OFFSET, nameservice), path);
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }

  private static long fnv(long hash, String text) {
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }
}
