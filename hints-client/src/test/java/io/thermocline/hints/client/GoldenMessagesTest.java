// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.wire.GoldenFile;
import io.thermocline.hints.wire.HintError;
import io.thermocline.hints.wire.HintJson;
import io.thermocline.hints.wire.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Messages of version 1 stay as they are, and those of later services are understood as far as
 * they can be.
 */
class GoldenMessagesTest {
  private static final Hint ORDERS =
      Hint.onDirectory(Operation.PREFETCH, "/warehouse/orders")
          .pattern(AccessPattern.READ_INTENSIVE)
          .requirement(Requirement.LOW_LATENCY)
          .temperature(Temperature.HOT)
          .stream("orders")
          .owner("etl")
          .source(Source.USER)
          .leaseExpiryMillis(1_767_225_600_000L)
          .build();

  @Test
  void asksAsVersionOneDid() throws Exception {
    long now = ORDERS.leaseExpiryMillis() - 7_200_000;
    Object request = ((List<?>) Json.parse(text("give.request"))).get(0);
    assertEquals(Json.write(request), Json.write(HintJson.request(ORDERS, now)));
    assertEquals(
        Json.write(Json.parse(text("renew.request"))),
        Json.write(Map.of("leaseMillis", 86_400_000)));
  }

  @Test
  void understandsWhatBecameOfHints() throws Exception {
    List<?> answers = (List<?>) Json.parse(text("give.answer"));
    HintAnswer taken = HintAnswer.of(answers.get(0));
    assertTrue(taken.isTaken());
    assertEquals("16390.prefetch", taken.id());
    assertNull(taken.task(), "there was none in the first services");
    HintAnswer refused = HintAnswer.of(answers.get(1));
    assertFalse(refused.isTaken());
    assertEquals(HintError.FORBIDDEN, refused.error());
  }

  @Test
  void understandsLaterServicesAsFarAsItCan() throws Exception {
    List<?> answers = (List<?>) Json.parse(text("give-later.answer"));
    assertEquals(7, HintAnswer.of(answers.get(0)).task());
    HintAnswer refused = HintAnswer.of(answers.get(1));
    assertEquals(HintError.BAD_FIELD, refused.error(), "an error that isn't known yet");
    assertTrue(refused.message().contains("TOO_LATE_IN_THE_DAY: come back"), refused::message);
  }

  @Test
  void understandsHintsAndQuestions() throws Exception {
    assertEquals(ORDERS, HintJson.fromAnswer((Map<?, ?>) Json.parse(text("hint.answer"))));
    Map<?, ?> due = (Map<?, ?>) Json.parse(text("due.answer"));
    Map<?, ?> question = (Map<?, ?>) ((List<?>) due.get("items")).get(0);
    assertEquals("UNUSED", question.get("reason"));
    assertEquals(ORDERS, HintJson.fromAnswer((Map<?, ?>) question.get("hint")));
    assertEquals(Boolean.TRUE, ((Map<?, ?>) Json.parse(text("queue.answer"))).get("isLong"));
  }

  @Test
  void understandsErrors() throws Exception {
    ServiceException error =
        assertThrows(
            ServiceException.class, () -> Answers.checked("http://x", 404, text("error.answer")));
    assertEquals(HintError.NO_SUCH_HINT, error.error());
  }

  private static String text(String name) throws IOException {
    return GoldenFile.text(name + ".json");
  }
}
