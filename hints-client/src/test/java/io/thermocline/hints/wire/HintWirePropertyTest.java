// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every hint comes back as it was written; {@code -Dseed=} repeats a run. */
class HintWirePropertyTest {

  private static final long SEED = Long.getLong("test.seed", 20261120L);
  private static final String[] PIECES = {
    "a", "part-", "&", "=", "%", "%2F", "+", " ", "\n", "\t", "\0", "ü", "数", "🌊", "\uFFFD", "\"",
    ";", "#"
  };

  private final Random random = new Random(SEED);

  @Test
  void roundTrips() {
    for (int i = 0; i < 5000; i++) {
      Hint hint = randomHint();
      String context = "seed " + SEED + ", hint " + i;

      String text = HintWire.encode(hint);

      assertTrue(text.matches("[!-~]+"), context + " is not one line of ASCII: " + text);
      assertEquals(hint, HintWire.decode(text), context);
      String request = Json.write(HintJson.request(hint, 0));
      assertEquals(
          hint, HintJson.fromRequest((Map<?, ?>) Json.parse(request), "nobody", 0), context);
      String answer = Json.write(HintJson.answer("7", hint));
      assertEquals(hint, HintJson.fromAnswer((Map<?, ?>) Json.parse(answer)), context);
    }
  }

  private Hint randomHint() {
    Scope scope = any(Scope.values());
    String target = scope == Scope.STREAM ? "s" + printable(name()) : path();
    long expiry = 1 + (random.nextLong() >>> 1) % (Long.MAX_VALUE - 1);
    return Hint.on(scope, any(Operation.values()), target)
        .pattern(any(AccessPattern.values()))
        .requirement(any(Requirement.values()))
        .temperature(any(Temperature.values()))
        .stream(scope == Scope.STREAM || random.nextBoolean() ? null : "t" + printable(name()))
        .owner("o" + printable(name()))
        .source(any(Source.values()))
        .startMillis(random.nextBoolean() ? 0 : (random.nextLong() >>> 1) % expiry)
        .leaseExpiryMillis(expiry)
        .build();
  }

  private String path() {
    StringBuilder path = new StringBuilder();
    for (int depth = 1 + random.nextInt(6); depth > 0; depth--) {
      path.append('/').append(name());
    }
    return path.toString();
  }

  private String name() {
    StringBuilder name = new StringBuilder();
    for (int length = 1 + random.nextInt(8); length > 0; length--) {
      name.append(any(PIECES));
    }
    return name.toString();
  }

  private static String printable(String name) {
    return name.replaceAll("[\n\t\0]", "_");
  }

  private <T> T any(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
