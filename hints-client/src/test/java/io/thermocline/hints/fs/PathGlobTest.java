// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PathGlobTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  @Test
  void matchesWhatARegularExpressionWould() {
    Random random = new Random(SEED);
    for (int i = 0; i < 20_000; i++) {
      String glob = text(random, "a", "b", "/", "*", "**", "?");
      Pattern plain =
          Pattern.compile(
              glob.replace("**", "\0")
                  .replace("*", "[^/]*")
                  .replace("?", "[^/]")
                  .replace("\0", ".*"));
      for (int j = 0; j < 20; j++) {
        String path = text(random, "a", "b", "/");
        assertEquals(
            plain.matcher(path).matches(),
            new PathGlob(glob).matches(path),
            () -> glob + " on " + path);
      }
    }
    assertTrue(new PathGlob("/?").matches("/\uD83D\uDE00"), "one letter of two chars");
  }

  private static String text(Random random, String... letters) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(9); i >= 0; i--) {
      text.append(letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }

  /** A job opens files with it: whoever writes the path or the pattern must not hold it up. */
  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void needsNoYearsForManyWildcards() {
    String path = "/" + "a".repeat(2000);
    assertFalse(new PathGlob("/" + "*a".repeat(200) + "!").matches(path));
    assertFalse(new PathGlob("/**" + "a**".repeat(200) + "!").matches(path));
    assertFalse(new PathGlob("/" + "**a*".repeat(200) + "?!").matches(path));
  }
}
