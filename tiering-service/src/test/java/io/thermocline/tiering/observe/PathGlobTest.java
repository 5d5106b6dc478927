// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PathGlobTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  @Test
  void matchesWhatEachWildcardAtEachPlaceWould() {
    Random random = new Random(SEED);
    for (int i = 0; i < 20_000; i++) {
      // Of more than one word of bits, too.
      String begin = "x".repeat(random.nextInt(4) * 32);
      String glob = begin + text(random, "a", "b", "/", "*", "**");
      PathGlob pattern = new PathGlob(glob);
      Pattern plain =
          Pattern.compile(glob.replace("**", "\0").replace("*", "[^/]*").replace("\0", ".*"));
      for (int j = 0; j < 20; j++) {
        String path = begin + text(random, "a", "b", "/");
        assertEquals(
            plain.matcher(path).matches(), pattern.matches(path), () -> glob + " on " + path);
      }
    }
  }

  private static String text(Random random, String... letters) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(9); i >= 0; i--) {
      text.append(letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }

  /** The longest patterns that a rule may have, and the longest path that HDFS takes. */
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void needsNoYearsForManyWildcards() {
    String path = "/warehouse/" + "aaaaaaa/".repeat(998);
    for (String repeated : List.of("**a", "*a", "*a/", "a**", "*aaaaaa/", "**a*")) {
      PathGlob glob =
          new PathGlob("/warehouse/**" + repeated.repeat(900 / repeated.length()) + "!");
      for (int i = 0; i < 100; i++) {
        assertFalse(glob.matches(path));
      }
    }
  }

  @Test
  void lettersThatThePatternHasNotAreNone() {
    assertTrue(new PathGlob("/\u00e4*/\uD83D\uDE00").matches("/\u00e4b\u00f6/\uD83D\uDE00"));
    assertFalse(new PathGlob("/a?b").matches("/axb"));
    assertTrue(new PathGlob("").matches(""));
    assertFalse(new PathGlob("").matches("/"));
  }
}
