// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
      String glob = text(random, "a", "b", "/", "*", "**");
      Pattern pattern = PathGlob.pattern(glob);
      Pattern plain =
          Pattern.compile(glob.replace("**", "\0").replace("*", "[^/]*").replace("\0", ".*"));
      for (int j = 0; j < 20; j++) {
        String path = text(random, "a", "b", "/");
        assertEquals(
            plain.matcher(path).matches(),
            pattern.matcher(path).matches(),
            () -> glob + " on " + path + ": " + pattern);
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

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void needsNoYearsForManyWildcards() {
    String path = "/warehouse/" + "a".repeat(200) + "/part-00000";
    assertFalse(PathGlob.pattern("/warehouse/" + "**a".repeat(20) + "**!").matcher(path).matches());
    assertFalse(PathGlob.pattern("/warehouse/" + "*a".repeat(20) + "!").matcher(path).matches());
    assertFalse(PathGlob.pattern("/**" + "*a".repeat(20) + "!/**").matcher(path).matches());
  }
}
