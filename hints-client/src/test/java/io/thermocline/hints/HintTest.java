// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HintTest {

  @Test
  void unsaidFieldsAreUnknown() {
    Hint hint = Hint.onFile(Operation.MIGRATE, "/a/b").owner("etl").leaseExpiryMillis(1000).build();

    assertEquals(AccessPattern.UNKNOWN, hint.pattern());
    assertEquals(Requirement.NONE, hint.requirement());
    assertEquals(Temperature.UNKNOWN, hint.temperature());
  }

  @Test
  void leaseEndsAtItsExpiry() {
    Hint hint = Hint.onStream(Operation.REDIRECT, "wal").owner("hb").leaseExpiryMillis(50).build();

    assertTrue(hint.isInForce(49));
    assertFalse(hint.isInForce(50));
  }

  @Test
  void equalityCoversEveryField() {
    Hint hint = full().build();

    assertEquals(hint, full().build());
    assertEquals(hint.hashCode(), full().build().hashCode());
    List<Hint> others =
        List.of(
            full().pattern(AccessPattern.BACKUP).build(),
            full().requirement(Requirement.CHEAP).build(),
            full().temperature(Temperature.COLD).build(),
            full().owner("other").build(),
            full().stream("wal").build(),
            full().source(Source.SERVICE).build(),
            full().leaseExpiryMillis(2).build(),
            Hint.onFile(Operation.PREFETCH, "/w")
                .pattern(AccessPattern.SEQUENTIAL)
                .requirement(Requirement.THROUGHPUT)
                .temperature(Temperature.HOT)
                .owner("etl")
                .leaseExpiryMillis(1)
                .build());
    for (Hint other : others) {
      assertNotEquals(hint, other);
    }
  }

  /** Else a plan would take away what was just led there. */
  @Test
  void whatIsLedToATierIsExpectedToStayThere() {
    for (AccessPattern pattern : AccessPattern.values()) {
      for (Temperature temperature : Temperature.values()) {
        Hint hint =
            Hint.onDirectory(Operation.REDIRECT, "/a")
                .pattern(pattern)
                .temperature(temperature)
                .owner("etl")
                .leaseExpiryMillis(1)
                .build();
        Temperature expected =
            temperature == Temperature.UNKNOWN ? pattern.temperature() : temperature;
        if (hint.need() != Requirement.NONE) {
          assertEquals(
              hint.need() == Requirement.CHEAP ? Temperature.COLD : Temperature.HOT,
              expected,
              pattern + " " + temperature);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a/b", "/a/", "//a", "/a//b", "/a/./b", "/../a", "/a\uD800"})
  void pathsHaveOneSpelling(String path) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Hint.onFile(Operation.MIGRATE, path).owner("o").leaseExpiryMillis(1).build());

    assertTrue(
        e.getMessage().startsWith("hint: path is '" + path + "'; allowed: "), e.getMessage());
  }

  @Test
  void theRootIsADirectoryOnly() {
    Hint root = Hint.onDirectory(Operation.MIGRATE, "/").owner("o").leaseExpiryMillis(1).build();

    assertEquals("/", root.target());
    assertThrows(
        IllegalArgumentException.class,
        () -> Hint.onFile(Operation.MIGRATE, "/").owner("o").leaseExpiryMillis(1).build());
  }

  @Test
  void aStreamIsItsOwnStream() {
    Hint.Builder wal = Hint.onStream(Operation.ADVISE, "wal").owner("hb").leaseExpiryMillis(50);

    assertEquals("wal", wal.build().stream());
    assertMessage(
        "hint: stream is 'x'; allowed: none: a hint on a stream has its tag as the target",
        wal.stream("x"));
  }

  @Test
  void messagesNameFieldValueAndWhatIsAllowed() {
    assertMessage("hint: owner is 'null'; allowed: 1 to 255 characters", full().owner(null));
    assertMessage("hint: owner is 'a\nb'; allowed: no control character", full().owner("a\nb"));
    assertMessage("hint: pattern is 'null'; allowed: a value", full().pattern(null));
    assertMessage(
        "hint: lease expiry is '0'; allowed: a point in time after 1970, in epoch milliseconds",
        full().leaseExpiryMillis(0));
    assertMessage(
        "hint: stream tag is ''; allowed: 1 to 255 characters",
        Hint.onStream(Operation.MIGRATE, "").owner("o").leaseExpiryMillis(1));
    assertMessage(
        "hint: path is '/"
            + "p".repeat(79)
            + "... (8001 characters)'; allowed: at most 8000"
            + " characters",
        Hint.onFile(Operation.MIGRATE, "/" + "p".repeat(8000)).owner("o").leaseExpiryMillis(1));
  }

  private static Hint.Builder full() {
    return Hint.onDirectory(Operation.PREFETCH, "/w")
        .pattern(AccessPattern.SEQUENTIAL)
        .requirement(Requirement.THROUGHPUT)
        .temperature(Temperature.HOT)
        .owner("etl")
        .leaseExpiryMillis(1);
  }

  private static void assertMessage(String expected, Hint.Builder builder) {
    assertEquals(
        expected, assertThrows(IllegalArgumentException.class, builder::build).getMessage());
  }
}
