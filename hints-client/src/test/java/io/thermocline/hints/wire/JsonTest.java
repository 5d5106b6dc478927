// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  @Test
  void readsAllKindsOfValues() {
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("a", List.of(1L, -2.5, 1e300, Long.MAX_VALUE));
    expected.put("b", Arrays.asList(true, false, null));
    expected.put("c \"\\/\b\f\n\r\t\u00e9\ud83c\udf0a", Map.of("", List.of()));
    assertEquals(
        expected,
        Json.parse(
            " {\"a\" : [1,-2.5 , 1e300,9223372036854775807],\"b\":[true,false,null],\n"
                + "\"c \\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9\\ud83c\\uDF0A\":{\"\":[ ]}}\n"));
    assertEquals(9.3e18, Json.parse("9300000000000000000"));
  }

  @Test
  void readsWhatItWrites() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("text \"\\\u0000\u001f\u007f\n/\u6570\ud83c\udf0a", "half \ud83c");
    value.put("numbers", List.of(0L, -1.5, Long.MIN_VALUE));
    value.put("empty", List.of(Map.of(), List.of()));
    value.put("null", null);
    assertEquals(value, Json.parse(Json.write(value)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[1,]",
        "{\"a\"}",
        "{\"a\":1,}",
        "{a:1}",
        "01",
        "1.",
        "+1",
        "NaN",
        "tru",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u12\"",
        "\"a\nb\"",
        "1 2",
        "[1}",
        "<html>"
      })
  void whatIsNoJsonIsSaidToBeNone(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[1,x | JSON: expected a value at character 3, found 'x'",
        "{\"a\" 1} | JSON: expected ':' at character 5, found '1}'",
        "[1 | JSON: expected ']' at character 2, found the end"
      })
  void messagesSayWhere(String text, String message) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> Json.parse(text)).getMessage());
  }

  @Test
  void depthHasAnEnd() {
    Json.parse("[".repeat(60) + "]".repeat(60));
    assertThrows(IllegalArgumentException.class, () -> Json.parse("[".repeat(100_000)));
  }
}
