// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

/**
 * A pattern of paths as in a shell: {@code *} and {@code ?} within a name, {@code **} over any number of them.
 * Immutable.
 */
final class PathGlob {

  /** Of a pattern in the configuration: a job opens files with it. */
  static final int MAX_LENGTH = 1000;

  private final String glob;

  PathGlob(String glob) {
    this.glob = glob;
  }

  /**
   * Whether the whole path matches, within at most length of path squared times length of pattern steps: a regular
   * expression would try each wildcard at each place for each place of those before it.
   */
  boolean matches(String path) {
    int at = 0;
    int g = 0;
    // Only the last wildcard of each kind is asked to take more: what stands before it could match
    // no more if it did.
    int star = -1;
    int starEnd = 0;
    int deep = -1;
    int deepEnd = 0;
    while (at < path.length() || g < glob.length()) {
      if (glob.startsWith("**", g)) {
        g += 2;
        deep = g;
        deepEnd = at;
        star = -1;
      } else if (g < glob.length() && glob.charAt(g) == '*') {
        g++;
        star = g;
        starEnd = at;
      } else if (g < glob.length()
          && at < path.length()
          && isOne(glob.charAt(g), path.charAt(at))) {
        at += glob.charAt(g) == '?' ? Character.charCount(path.codePointAt(at)) : 1;
        g++;
      } else if (star >= 0 && starEnd < path.length() && path.charAt(starEnd) != '/') {
        starEnd++;
        g = star;
        at = starEnd;
      } else if (deep >= 0 && deepEnd < path.length()) {
        deepEnd++;
        g = deep;
        at = deepEnd;
        star = -1;
      } else {
        return false;
      }
    }
    return true;
  }

  private static boolean isOne(char pattern, char letter) {
    return pattern == letter || pattern == '?' && letter != '/';
  }
}
