// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.Arrays;

/** Hashes of a path and of the directories above it, from one pass over its characters. Stateless. */
final class PathPrefixes {
  private static final long FACTOR = 0x9fb21c651e98df25L;

  private PathPrefixes() {}

  /** From the topmost directory below the root to the path itself, which is the last. */
  static long[] of(String path) {
    long[] hashes = new long[8];
    int count = 0;
    long hash = Mix.GAMMA;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '/' && i > 0) {
        if (count + 1 == hashes.length) {
          hashes = Arrays.copyOf(hashes, 2 * count + 2);
        }
        hashes[count++] = Mix.of(hash);
      }
      hash = (hash + c) * FACTOR;
    }
    hashes[count++] = Mix.of(hash);
    return count == hashes.length ? hashes : Arrays.copyOf(hashes, count);
  }

  /** The last of {@link #of}. */
  static long whole(String path) {
    long[] hashes = of(path);
    return hashes[hashes.length - 1];
  }

  /** Whether a path is this directory, or lies below it. */
  static boolean covers(String directory, String path) {
    return path.startsWith(directory)
        && (path.length() == directory.length() || path.charAt(directory.length()) == '/');
  }
}
