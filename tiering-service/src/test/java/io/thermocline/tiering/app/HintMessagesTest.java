// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.HintResource;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.Localhost;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.journal.Journal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of version 1 are understood, and understand: the messages in golden/ of hints-client
 * are sent as they are, and what is answered has all that stands there, of the same kinds. More
 * fields are no matter, as clients leave them out.
 */
class HintMessagesTest {

  private static final Path GOLDEN = Path.of("../hints-client/src/test/resources/golden");

  @Test
  void clientsOfVersionOneAreServed(@TempDir Path directory) throws Exception {
    try (Journal journal = Journal.open(directory);
        ApiServer server = serve(hintService(journal))) {
      String hints = server.address() + "/api/v1/hints";
      JsonNode given = ask("POST", hints + "?dryRun=false", text("give.request"));
      assertEquals(2, given.size());
      covers(json("give.answer").get(0), given.get(0), "give");
      String id = given.get(0).get("id").asText();
      covers(json("hint.answer"), ask("GET", hints + "/" + id, null), "hint");
      covers(json("due.answer"), ask("GET", hints + "/due", null), "due");
      JsonNode renewed = ask("POST", hints + "/" + id + "/renew", text("renew.request"));
      covers(json("hint.answer"), renewed, "renew");
      assertEquals(NOW + 86_400_000, renewed.get("expires").asLong());
      JsonNode refused = ask("GET", hints + "/7.pin", null);
      covers(json("error.answer"), refused, "error");
      assertEquals(json("error.answer").get("code"), refused.get("code"));
      covers(json("queue.answer"), ask("GET", hints + "/queue", null), "queue");
    }
  }

  @Test
  void aHintIsFoundByItsPathAmongAThousand(@TempDir Path directory) throws Exception {
    try (Journal journal = Journal.open(directory)) {
      RegistryHintService hintService = new RegistryHintService(journal);
      hintService.now = NOW;
      for (int i = 0; i < 1_000; i++) {
        hintService.give("/w/" + i, "etl");
      }
      hintService.give("/w/999/below", "etl");
      Hint stream =
          Hint.onStream(Operation.ADVISE, "wal").owner("etl").leaseExpiryMillis(NOW + 1).build();
      hintService.registry().give(GivenHint.onStream(stream, NOW), NOW);
      try (ApiServer server = serve(hintService)) {
        String hints = server.address() + "/api/v1/hints?limit=500&";
        JsonNode found = ask("GET", hints + "on=/w/999&owner=etl", null);
        assertEquals(1, found.get("total").asInt(), found::toString);
        assertEquals("/w/999", found.get("items").get(0).get("path").asText());
        assertEquals(2, ask("GET", hints + "path=/w/999", null).get("total").asInt());
        assertEquals(0, ask("GET", hints + "on=/w", null).get("total").asInt());
        assertEquals(0, ask("GET", hints + "on=/w/999&owner=bi", null).get("total").asInt());
        found = ask("GET", hints + "on=wal", null);
        assertEquals("STREAM", found.get("items").get(0).get("scope").asText());
      }
    }
  }

  private static ApiServer serve(RegistryHintService hintService) throws Exception {
    return ApiServer.start(
        new ApiServer.Listen("127.0.0.1", 0, null),
        new ApiServer.Parts(
            List.of(new HintResource(hintService)), List.of(), new Localhost(), Activity.HERE),
        Thread::new);
  }

  private static final long NOW = 1_767_218_400_000L;

  private static RegistryHintService hintService(Journal journal) {
    RegistryHintService hintService = new RegistryHintService(journal);
    // One is due: its lease was to end within the hour.
    hintService.now = NOW - 86_400_000 + 1;
    hintService.give("/warehouse/orders/old", "etl");
    hintService.now = NOW;
    return hintService;
  }

  private static void covers(JsonNode golden, JsonNode now, String what) {
    assertEquals(
        golden.isNumber() ? "a number" : golden.getNodeType(),
        now.isNumber() ? "a number" : now.getNodeType(),
        what + ": " + now);
    if (golden.isArray()) {
      assertTrue(now.size() > 0, what);
      covers(golden.get(0), now.get(0), what + "[0]");
    }
    golden
        .fieldNames()
        .forEachRemaining(
            field -> {
              // What wasn't said of this hint is absent.
              if (!field.equals("stream")) {
                assertTrue(now.has(field), what + " has no " + field + ": " + now);
                covers(golden.get(field), now.get(field), what + "." + field);
              }
            });
  }

  private static JsonNode ask(String method, String address, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .header(Localhost.USER, "etl")
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    return Json.MAPPER.readTree(
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  private static String text(String name) throws IOException {
    return Files.readString(GOLDEN.resolve(name + ".json"));
  }

  private static JsonNode json(String name) throws IOException {
    return Json.MAPPER.readTree(text(name));
  }
}
