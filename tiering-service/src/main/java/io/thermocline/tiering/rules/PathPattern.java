// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import io.thermocline.tiering.observe.PathGlob;
import java.util.regex.Pattern;

/**
 * A pattern of paths, as {@link PathGlob}: what matches, and all below it. Immutable.
 */
public final class PathPattern {

  private final String glob;

  /** What every match begins with: most paths are told apart by it, without the pattern. */
  private final String prefix;

  private final Pattern pattern;

  PathPattern(String glob) {
    this.glob = glob.endsWith("**") ? glob : glob + "/**";
    this.prefix = this.glob.substring(0, this.glob.indexOf('*'));
    this.pattern = PathGlob.pattern(this.glob);
  }

  boolean matches(String path) {
    // A slash more, so that what is named itself matches as what lies below it does.
    String closed = path + '/';
    return closed.startsWith(prefix) && pattern.matcher(closed).matches();
  }

  /** Whether it can match anything below a directory. */
  boolean reachesBelow(String directory) {
    return overlaps(new PathPattern(directory));
  }

  /** Whether some path matches both. */
  boolean overlaps(PathPattern other) {
    return new Overlap(glob, other.glob).from(0, 0);
  }

  /** Walks through two patterns at once; each pair of places is looked at once. */
  private static final class Overlap {
    private final String a;
    private final String b;
    private final boolean[][] failed;

    Overlap(String a, String b) {
      this.a = a;
      this.b = b;
      this.failed = new boolean[a.length() + 1][b.length() + 1];
    }

    boolean from(int i, int j) {
      if (i == a.length() && j == b.length()) {
        return true;
      }
      if (failed[i][j]) {
        return false;
      }
      boolean found = eats(a, i, b, j, true) || eats(b, j, a, i, false) || equal(i, j);
      failed[i][j] = !found;
      return found;
    }

    /** A wildcard of one pattern ends here, or takes in the next of the other. */
    private boolean eats(String of, int at, String other, int next, boolean isFirst) {
      if (at == of.length() || of.charAt(at) != '*') {
        return false;
      }
      boolean isDeep = of.startsWith("**", at);
      int after = at + (isDeep ? 2 : 1);
      if (isFirst ? from(after, next) : from(next, after)) {
        return true;
      }
      if (next == other.length() || other.charAt(next) == '/' && !isDeep) {
        return false;
      }
      int taken = next + (other.startsWith("**", next) ? 2 : 1);
      return isFirst ? from(at, taken) : from(taken, at);
    }

    private boolean equal(int i, int j) {
      return i < a.length()
          && j < b.length()
          && a.charAt(i) == b.charAt(j)
          && a.charAt(i) != '*'
          && from(i + 1, j + 1);
    }
  }

  @Override
  public String toString() {
    return glob;
  }
}
