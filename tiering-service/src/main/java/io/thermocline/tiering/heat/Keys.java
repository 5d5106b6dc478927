// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/** Turns a path into the 64-bit key of the hotness table. */
final class Keys {

  private static final long START = 0xcbf29ce484222325L;
  private static final long FACTOR = 0x9fb21c651e98df25L;

  private Keys() {}

  /**
   * A well-mixed hash of nameservice and path, four characters a step: the time of a path of a hundred
   * characters is that of its multiplications, one after the other. Folding the high half down after
   * each keeps the last of the four from touching high bits alone. The mixer of splitmix64 ends it.
   */
  static long of(String nameservice, String path) {
    long hash = add(add(START, nameservice), path);
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }

  private static long add(long start, String text) {
    int length = text.length();
    // The length keeps "a" + "b" apart from "" + "ab".
    long hash = start + length;
    int i = 0;
    for (; i + 4 <= length; i += 4) {
      hash =
          step(
              hash,
              text.charAt(i)
                  | (long) text.charAt(i + 1) << 16
                  | (long) text.charAt(i + 2) << 32
                  | (long) text.charAt(i + 3) << 48);
    }
    for (; i < length; i++) {
      hash = step(hash, text.charAt(i));
    }
    return hash;
  }

  private static long step(long hash, long characters) {
    long product = (hash ^ characters) * FACTOR;
    return product ^ (product >>> 32);
  }
}
