// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service answers while it carries out a plan, paused half-way: what would be done, and why not now. */
@Tag("cluster")
class PausedPlanTest {

  private static final int FILES = 6;
  private static final String MEANT = "{\"dryRun\": false, \"why\": \"a test\"}";
  private static final String DRY = "{\"why\": \"a test\"}";

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path temp;

  private String api;

  private record Answer(int status, JsonNode body) {
    String text(String field) {
      return body.path(field).asText();
    }
  }

  @Test
  void saysWhatWouldBeDoneAndDoesIt() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      for (int i = 0; i < FILES; i++) {
        cluster.write(file(i));
      }
      Path directory = Files.createDirectories(temp.resolve("service"));
      Path config =
          cluster
              .setup("/paused")
              .apply()
              // A second and more for each block.
              .replace("bandwidthPerNode: 100 MB", "bandwidthPerNode: 200 KB")
              .write(directory);
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        api = service.address() + "/api/v1";
        String plan = beginsToMove(cluster);

        assertEquals("pause: the service is RUNNING", dry("/steering/pause").text("what"));
        assertEquals("RUNNING", get("/steering").text("state"), "it was only said");
        assertEquals(200, post("/steering/pause", MEANT).status());
        int done = comesToRest();

        assertEquals("resume: the service is PAUSED", dry("/steering/resume").text("what"));
        assertEquals("stop: the service is PAUSED", dry("/steering/stop").text("what"));
        for (String step : List.of("approve", "execute", "discard")) {
          Answer refused = post(plan + "/" + step, DRY);
          assertEquals("409 PLAN_RUNNING", refused.status() + " " + refused.text("code"), step);
        }
        cantBeTakenBackNow(plan);
        assertEquals("PAUSED", get("/steering").text("state"), "all of that changed nothing");
        assertEquals("RUNNING", get(plan).text("state"));
        assertEquals(done, verified(), "nor was anything begun meanwhile");

        assertEquals(200, post("/steering/resume", MEANT).status());
        Eventually.holds("the plan is done", () -> get(plan).text("state").equals("DONE"));
        assertTrue(verified() > done);
        assertFalse(get(plan + "/undo").body().path("paths").isEmpty(), "could be taken back now");
        service.terminate();
      }
    }
  }

  /** Until some copies of a plan were made, and not all: its path. */
  private String beginsToMove(ServedCluster cluster) {
    List<String> running = new ArrayList<>();
    Eventually.holds(
        "some of a plan's copies",
        () -> {
          for (int i = 0; i < FILES; i++) {
            cluster.read(file(i), 1);
          }
          JsonNode newest = get("/plans").body().at("/items/0");
          running.add("/plans/" + newest.path("number").asText());
          return newest.path("state").asText().equals("RUNNING")
              && newest.path("moves").asInt() > FILES
              && verified() > 0;
        });
    return running.get(running.size() - 1);
  }

  /** Until what was under way is finished and verified: how many copies were, by then. */
  private int comesToRest() {
    Eventually.holds(
        "nothing is under way", () -> get("/state").body().at("/moves/running").asInt(-1) == 0);
    return verified();
  }

  /** Whoever asks is told so soon, also where several do, and keeps nobody else from an answer. */
  private void cantBeTakenBackNow(String plan) {
    List<CompletableFuture<Answer>> asked =
        IntStream.range(0, 4)
            .mapToObj(i -> sent(i % 2 == 0 ? to(plan + "/undo") : with(DRY, plan + "/undo")))
            .toList();
    assertEquals(200, get("/health/live").status());
    assertEquals(200, get("/plans").status());
    for (CompletableFuture<Answer> each : asked) {
      Answer answer = each.join();
      assertEquals("409 NOT_NOW", answer.status() + " " + answer.text("code"));
      assertTrue(answer.text("message").contains("is being carried out"), answer::toString);
      assertTrue(answer.body().path("retriable").asBoolean());
    }
  }

  private int verified() {
    return get("/state").body().at("/moves/verified").asInt(-1);
  }

  private static String file(int i) {
    return "/paused/f" + i;
  }

  private Answer dry(String path) {
    Answer answer = post(path, DRY);
    assertEquals(200, answer.status(), answer::toString);
    return answer;
  }

  private Answer get(String path) {
    return sent(to(path)).join();
  }

  private Answer post(String path, String body) {
    return sent(with(body, path)).join();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(api + path));
  }

  private HttpRequest.Builder with(String body, String path) {
    return to(path)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private CompletableFuture<Answer> sent(HttpRequest.Builder request) {
    return client
        .sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
        .thenApply(answer -> new Answer(answer.statusCode(), json(answer.body())));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
