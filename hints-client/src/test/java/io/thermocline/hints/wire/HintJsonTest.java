// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintJsonTest {
  private static final Hint FULL =
      Hint.onDirectory(Operation.PREFETCH, "/warehouse/k\u00e4se")
          .pattern(AccessPattern.READ_INTENSIVE)
          .requirement(Requirement.LOW_LATENCY)
          .temperature(Temperature.HOT)
          .stream("orders")
          .owner("etl")
          .source(Source.USER)
          .leaseExpiryMillis(1_767_225_600_000L)
          .build();

  private static final String FULL_REQUEST =
      "{\"op\":\"PREFETCH\",\"scope\":\"DIRECTORY\",\"target\":\"/warehouse/k\u00e4se\","
          + "\"pattern\":\"READ_INTENSIVE\",\"requirement\":\"LOW_LATENCY\",\"temperature\":\"HOT\","
          + "\"owner\":\"etl\",\"stream\":\"orders\",\"source\":\"USER\",\"leaseMillis\":7200000}";

  @Test
  void theRequestOfVersionOneStays() {
    long now = FULL.leaseExpiryMillis() - 7_200_000;
    assertEquals(FULL_REQUEST, Json.write(HintJson.request(FULL, now)));
    assertEquals(FULL, HintJson.fromRequest(json(FULL_REQUEST), "nobody", now));
  }

  @Test
  void theLeaseIsAsLongOnBothClocks() {
    Hint read = HintJson.fromRequest(json(Json.write(HintJson.request(FULL, 0))), "x", 1000);
    assertEquals(FULL.leaseExpiryMillis() + 1000, read.leaseExpiryMillis());
    assertEquals(1L, HintJson.request(FULL, Long.MAX_VALUE).get("leaseMillis"));
    Hint ever =
        HintJson.fromRequest(
            json(FULL_REQUEST.replace("7200000", "9223372036854775807")), "x", 1000);
    assertEquals(Long.MAX_VALUE, ever.leaseExpiryMillis());
  }

  @Test
  void whatIsUnsaidHasItsDefault() {
    Hint least =
        HintJson.fromRequest(
            json("{\"op\":\"ADVISE\",\"scope\":\"STREAM\",\"target\":\"wal\",\"leaseMillis\":5}"),
            "alice",
            10);
    assertEquals(
        Hint.onStream(Operation.ADVISE, "wal").owner("alice").leaseExpiryMillis(15).build(), least);
  }

  @Test
  void whatALaterWriterAddsIsIgnored() {
    String later = FULL_REQUEST.replaceFirst(".$", ",\"weight\":{\"a\":[1]},\"mood\":null}");
    long now = FULL.leaseExpiryMillis() - 7_200_000;
    assertEquals(FULL, HintJson.fromRequest(json(later), "nobody", now));
    String answer = Json.write(HintJson.answer("h1", FULL)).replaceFirst(".$", ",\"used\":[3]}");
    assertEquals(FULL, HintJson.fromAnswer(json(answer)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"leaseMillis\":7200000 | \"lease\":1 | MISSING_FIELD | hint: key 'leaseMillis' is missing;"
            + " expected how long the hint holds, in milliseconds",
        "7200000 | 0 | BAD_FIELD | hint: key 'leaseMillis' is '0'; expected a whole number of"
            + " milliseconds, at least 1",
        "7200000 | \"2h\" | BAD_FIELD | hint: key 'leaseMillis' is '2h'; expected a whole number"
            + " of milliseconds, at least 1",
        "PREFETCH | BURN | BAD_FIELD | hint: key 'op' is 'BURN'; expected one of [ADVISE, REDIRECT,"
            + " MIGRATE, REPLICATE, PREFETCH, PIN]",
        "\"target\" | \"path\" | MISSING_FIELD | hint: key 'target' is missing; expected a value",
      })
  void errorsHaveCodes(String valid, String invalid, String code, String message) {
    Map<?, ?> request = json(FULL_REQUEST.replace(valid, invalid));
    HintFormatException e =
        assertThrows(HintFormatException.class, () -> HintJson.fromRequest(request, "nobody", 0));
    assertEquals(HintError.valueOf(code), e.error());
    assertEquals(message, e.getMessage());
  }

  @Test
  void anUnknownCodeIsReadByItsStatus() {
    assertEquals(HintError.NO_SUCH_FILE, HintError.of("NO_SUCH_FILE", 404));
    assertEquals(HintError.NO_SUCH_RESOURCE, HintError.of(null, 404));
    assertEquals(HintError.BUSY, HintError.of("SOMETHING_LATER", 503));
    assertEquals(HintError.INTERNAL, HintError.of("SOMETHING_LATER", 507));
    assertEquals(HintError.BAD_FIELD, HintError.of("SOMETHING_LATER", 0));
  }

  private static Map<?, ?> json(String text) {
    return (Map<?, ?>) Json.parse(text);
  }
}
