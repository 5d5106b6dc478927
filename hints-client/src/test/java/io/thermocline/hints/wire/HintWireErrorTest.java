// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HintWireErrorTest {

  private static final String VALID =
      "v=1&op=MIGRATE&scope=FILE&target=%2Fa&pattern=UNKNOWN&requirement=NONE&temperature=HOT"
          + "&owner=etl&expires=1000";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v",
        "op",
        "scope",
        "target",
        "pattern",
        "requirement",
        "temperature",
        "owner",
        "expires"
      })
  void eachKeyIsRequired(String key) {
    String text = ("&" + VALID).replaceFirst("&" + key + "=[^&]*", "").replaceFirst("^&", "");

    HintFormatException e = rejected(text);

    assertEquals(key, e.key());
    assertEquals("hint: key '" + key + "' is missing; expected a value", e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v=1          | v=2             | hint: key 'v' is '2'; expected 1, the version this reader knows",
        "op=MIGRATE   | op=DELETE       | hint: key 'op' is 'DELETE'; expected one of [ADVISE, REDIRECT, MIGRATE, REPLICATE, PREFETCH, PIN]",
        "scope=FILE   | scope=file      | hint: key 'scope' is 'file'; expected one of [FILE, DIRECTORY, STREAM]",
        "owner=etl    | owner=etl&source=MOON | hint: key 'source' is 'MOON'; expected one of [USER, APPLICATION, FILE_SYSTEM, SERVICE]",
        "scope=FILE   | scope=FILE&stream= | hint: stream tag is ''; allowed: 1 to 255 characters",
        "expires=1000 | expires=soon    | hint: key 'expires' is 'soon'; expected epoch milliseconds",
        "expires=1000 | expires=-5      | hint: lease expiry is '-5'; allowed: a point in time after 1970, in epoch milliseconds",
        "target=%2Fa  | target=a        | hint: path is 'a'; allowed: an absolute path, such as /warehouse/orders",
        "target=%2Fa  | target=%2       | hint: key 'target' is '%2'; expected %XX escapes with two hexadecimal digits",
        "target=%2Fa  | target=%2F%FF   | hint: key 'target' is '%2F%FF'; expected escaped UTF-8",
        "owner=etl    | owner=a&owner=b | hint: key 'owner' is 'b'; expected to be given once",
        "owner=etl    | owner           | hint: key 'owner' is missing; expected key=value",
      })
  void messagesNameKeyValueAndExpectation(String valid, String invalid, String message) {
    assertEquals(message, rejected(VALID.replace(valid, invalid)).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v=1\n", "v=1 &op=MIGRATE", "v=1&target=/ü"})
  void onlyOneLineOfAsciiIsRead(String text) {
    rejected(text);
  }

  @Test
  void theLimitHoldsInBothDirections() {
    Hint tooLong =
        Hint.onFile(Operation.MIGRATE, "/" + "数".repeat(2000))
            .owner("o")
            .leaseExpiryMillis(1)
            .build();

    HintFormatException e = assertThrows(HintFormatException.class, () -> HintWire.encode(tooLong));

    assertEquals("target", e.key());
    assertTrue(e.getMessage().contains("at most 16000 characters"), e.getMessage());
    rejected(VALID + "&later=" + "x".repeat(16000));
  }

  private static HintFormatException rejected(String text) {
    return assertThrows(HintFormatException.class, () -> HintWire.decode(text));
  }
}
