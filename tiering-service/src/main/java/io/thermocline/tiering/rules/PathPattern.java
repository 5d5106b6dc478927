// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import io.thermocline.tiering.observe.PathGlob;
import java.util.Arrays;

/**
 * A pattern of paths, as {@link PathGlob}: what matches, and all below it. Immutable.
 */
public final class PathPattern {

  /** Anything within a component. */
  private static final int STAR = -1;

  /** Anything. */
  private static final int DEEP = -2;

  private final String glob;

  /** What every match begins with: most paths are told apart by it, without the pattern. */
  private final String prefix;

  private final PathGlob pattern;
  private final int[] tokens;

  PathPattern(String glob) {
    this.glob = glob.endsWith("**") ? glob : glob + "/**";
    this.prefix = this.glob.substring(0, this.glob.indexOf('*'));
    this.pattern = new PathGlob(this.glob);
    this.tokens = tokens(this.glob);
  }

  boolean matches(String path) {
    // A slash more, so that what is named itself matches as what lies below it does.
    String closed = path + '/';
    return closed.startsWith(prefix) && pattern.matches(closed);
  }

  /** Whether it can match anything below a directory. */
  boolean reachesBelow(String directory) {
    return overlaps(new PathPattern(directory));
  }

  /** Whether some path matches both. */
  boolean overlaps(PathPattern other) {
    return overlaps(other, new Effort(Long.MAX_VALUE));
  }

  /**
   * Whether some path matches both.
   *
   * @throws Effort.ExceededException where that takes more than is left
   */
  boolean overlaps(PathPattern other, Effort effort) {
    effort.spend(1);
    if (!prefix.startsWith(other.prefix) && !other.prefix.startsWith(prefix)) {
      return false;
    }
    // Of each pair of places in both patterns: whether one text can lead to both. Both only grow,
    // so two rows suffice.
    int[] a = tokens;
    int[] b = other.tokens;
    boolean[] row = new boolean[b.length + 1];
    int common = Math.min(prefix.length(), other.prefix.length());
    row[common] = true;
    for (int i = common; i <= a.length; i++) {
      effort.spend(row.length);
      boolean[] next = new boolean[row.length];
      boolean isDead = true;
      for (int j = common; j <= b.length; j++) {
        if (!row[j]) {
          continue;
        }
        isDead = false;
        if (i == a.length && j == b.length) {
          return true;
        }
        if (i < a.length && a[i] < 0) {
          next[j] = true;
          if (j < b.length && canTake(a[i], b[j])) {
            row[j + 1] = true;
          }
        }
        if (j < b.length && b[j] < 0) {
          row[j + 1] = true;
          if (i < a.length && canTake(b[j], a[i])) {
            next[j] = true;
          }
        }
        if (i < a.length && j < b.length && a[i] == b[j]) {
          next[j + 1] = true;
        }
      }
      if (isDead) {
        return false;
      }
      row = next;
    }
    return false;
  }

  private static boolean canTake(int wildcard, int token) {
    return wildcard == DEEP || token != '/';
  }

  /** Its letters, {@link #STAR} and {@link #DEEP}. */
  private static int[] tokens(String glob) {
    int[] tokens = new int[glob.length()];
    int count = 0;
    for (int at = 0; at < glob.length(); at++) {
      if (glob.startsWith("**", at)) {
        at++;
        tokens[count++] = DEEP;
      } else {
        tokens[count++] = glob.charAt(at) == '*' ? STAR : glob.charAt(at);
      }
    }
    return Arrays.copyOf(tokens, count);
  }

  @Override
  public String toString() {
    return glob;
  }
}
