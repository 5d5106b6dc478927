// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.regex.Pattern;

/** Patterns of paths: {@code *} stands for anything within a component, {@code **} for anything. */
public final class PathGlob {

  /*
   * Problem. As .* and [^/]* one after the other, a few wildcards cost years: each is tried at each place for each
   * place of those before it, and whoever may write a rule may write such a pattern.
   *
   * So each wildcard takes as little as it can, up to the text behind it, and isn't asked again (?>...): what follows
   * could match no more if it took more. Only from one ** to the next its begin is tried further on, since a * behind
   * it can't pass a slash. What stands behind the last wildcard must be at the end, so that one is asked again.
   */
  private static final String ONCE = "(?>";

  private PathGlob() {}

  /** A pattern that a whole path must match. */
  public static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    boolean isBehindDeep = false;
    int at = textEnd(glob, 0);
    regex.append(Pattern.quote(glob.substring(0, at)));
    while (at < glob.length()) {
      boolean isDeep = glob.startsWith("**", at);
      int from = at + (isDeep ? 2 : 1);
      int to = textEnd(glob, from);
      String text = Pattern.quote(glob.substring(from, to));
      boolean isLast = to == glob.length();
      if (isDeep) {
        regex.append(isBehindDeep ? ")" : "");
        boolean isLastDeep = glob.indexOf("**", to) < 0;
        regex.append(isLastDeep ? "(?:" : ONCE).append(".*?").append(text);
        isBehindDeep = true;
      } else if (isLast) {
        regex.append("[^/]*?").append(text);
      } else {
        regex.append(ONCE).append("[^/]*?").append(text).append(')');
      }
      at = to;
    }
    return Pattern.compile(regex + (isBehindDeep ? ")" : ""), Pattern.DOTALL);
  }

  private static int textEnd(String glob, int from) {
    int end = glob.indexOf('*', from);
    return end < 0 ? glob.length() : end;
  }
}
