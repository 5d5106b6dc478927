// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.regex.Pattern;

/** Patterns of paths: {@code *} stands for anything within a component, {@code **} for anything. */
public final class PathGlob {

  private PathGlob() {}

  /** A pattern that a whole path must match. */
  public static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      if (glob.startsWith("**", i)) {
        regex.append(".*");
        i++;
      } else if (glob.charAt(i) == '*') {
        regex.append("[^/]*");
      } else {
        regex.append(Pattern.quote(glob.substring(i, i + 1)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
