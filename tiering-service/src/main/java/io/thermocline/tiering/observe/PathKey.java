// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;

/** The 64-bit key of a path of a nameservice: the same from a string as from the UTF-8 bytes of a log. */
public final class PathKey {
  private static final long START = 0xcbf29ce484222325L;

  private PathKey() {}

  /** What the keys of a nameservice start from. */
  public static long nameservice(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteHash.unmixed(START, bytes, 0, bytes.length);
  }

  /** The key of a path, given what {@link #nameservice} said. */
  public static long of(long nameservice, String path) {
    return PathHashes.of(nameservice, path).key();
  }
}
