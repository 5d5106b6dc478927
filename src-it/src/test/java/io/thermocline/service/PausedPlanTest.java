// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.tiering.act.PlanWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.BlockLocation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a service answers while it carries out a plan, paused half-way: what would be done, and why not now; that it goes on
 * within other limits, that it can be cancelled, and what is said of one that a kill ended.
 */
@Tag("cluster")
class PausedPlanTest {

  private static final int FILES = 8;

  /** Each of three blocks, on four DataNodes. */
  private static final int MOVES = 3 * FILES;

  /** A copy of 600 KB takes less, and so does its verification. */
  private static final long REST_NANOS = 10_000_000_000L;

  private static final long AT_ONCE_NANOS = TimeUnit.SECONDS.toNanos(8);

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
              // More than ten seconds between two blocks of a DataNode.
              .replace("bandwidthPerNode: 100 MB", "bandwidthPerNode: 50 KB")
              .write(directory);
      String killed;
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        api = service.address() + "/api/v1";
        String plan = beginsToMove(cluster);
        long begun = System.nanoTime();

        assertEquals("pause: the service is RUNNING", dry("/control/pause").text("what"));
        assertEquals("RUNNING", get("/control").text("state"), "it was only said");
        assertEquals(200, post("/control/pause", MEANT).status());
        int done = comesToRest();

        assertEquals("resume: the service is PAUSED", dry("/control/resume").text("what"));
        assertEquals("stop: the service is PAUSED", dry("/control/stop").text("what"));
        for (String step : List.of("approve", "execute", "discard")) {
          Answer refused = post(plan + "/" + step, DRY);
          assertEquals("409 PLAN_RUNNING", refused.status() + " " + refused.text("code"), step);
        }
        cantBeTakenBackNow(plan);
        assertEquals("PAUSED", get("/control").text("state"), "all of that changed nothing");
        assertEquals("RUNNING", get(plan).text("state"));
        assertEquals(done, verified(), "nor was anything begun meanwhile");
        Eventually.holds(
            "the plan lasts longer than a round may plan in silence",
            () -> System.nanoTime() - begun > PlanWatch.SHOWN_AFTER.plusSeconds(1).toNanos());

        String gone = deletesOneThatWaits(cluster);
        takesOtherLimitsMeanwhile(cluster, config, plan);
        // CANCELLED where it waited for the DataNode that was excluded.
        assertTrue(
            Set.of("OBSOLETE", "CANCELLED").containsAll(states(gone)),
            () -> states(gone).toString());
        assertTrue(verified() > done);
        assertFalse(get(plan + "/undo").body().path("paths").isEmpty(), "could be taken back now");
        namesHosts(plan, service.out(), directory);
        int ofOne = get("/moves?path=" + file(0)).body().path("total").asInt();
        int all = get("/moves").body().path("total").asInt();
        assertTrue(ofOne > 0 && ofOne < all, ofOne + " of " + all);
        cancelsOne(config);
        killed = beginsAnother(config);
      }
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        api = service.address() + "/api/v1";
        accountsForAll(killed);
        namesHosts(killed, service.out(), directory);
        service.terminate();
      }
      // Recorded, too.
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        api = service.address() + "/api/v1";
        accountsForAll(killed);
        service.terminate();
      }
    }
  }

  /** Wherever people look; what HDFS knows a DataNode by says nothing to them. */
  private void namesHosts(String plan, String log, Path directory) throws IOException {
    Eventually.holds("a plan", () -> get("/nodes").body().path("total").asInt() == 4);
    Set<String> hosts = new HashSet<>();
    List<String> uuids = new ArrayList<>();
    for (JsonNode node : get("/nodes").body().path("items")) {
      hosts.add(node.path("host").asText());
      uuids.add(node.path("uuid").asText());
    }
    assertEquals(4, hosts.size(), hosts::toString);
    for (JsonNode move : get("/moves?limit=1000").body().path("items")) {
      assertTrue(hosts.contains(move.path("from").asText().split(" ")[0]), move::toString);
      assertTrue(hosts.contains(move.path("to").asText().split(" ")[0]), move::toString);
    }
    List<String> texts = new ArrayList<>(List.of(log));
    for (String path :
        List.of(
            plan,
            plan + "/files",
            plan + "/space",
            plan + "/undo",
            "/moves?limit=1000",
            "/plans",
            "/tasks",
            "/state",
            "/files?path=" + file(0))) {
      texts.add(get(path).body().toString());
    }
    Path audit = directory.resolve("state/thermocline/log/audit.log");
    if (OsUser.ordinary().isPresent()) {
      texts.add(Files.readString(audit));
    }
    for (String text : texts) {
      for (String uuid : uuids) {
        assertFalse(text.contains(uuid), () -> uuid + " in " + text);
      }
    }
  }

  /** Once no other plan is in its way: the path of the plan. */
  private String ordersBack() {
    List<String> ordered = new ArrayList<>();
    Eventually.holds(
        "an order to move all back",
        () -> {
          Answer answer =
              post(
                  "/moves",
                  "{\"path\": \"/paused\", \"type\": \"DISK\", \"dryRun\": false, \"why\": \"a test\"}");
          ordered.add("/plans/" + answer.text("plan"));
          return answer.status() == 200;
        });
    return ordered.get(ordered.size() - 1);
  }

  private boolean isBegun(String plan) {
    String moves = plan.replace("/plans/", "") + "-";
    for (JsonNode move : get("/moves?limit=1000").body().path("items")) {
      if (move.path("id").asText().startsWith(moves)
          && move.path("state").asText().equals("VERIFIED")) {
        return true;
      }
    }
    return false;
  }

  /** Some of its moves are made when this returns its path, and not all. */
  private String beginsAnother(Path config) throws IOException {
    String fast = Files.readString(config);
    reload(config, fast.replace("bandwidthPerNode: 100 MB", "bandwidthPerNode: 50 KB"));
    String plan = ordersBack();
    Eventually.holds("some of its moves are made", () -> isBegun(plan));
    assertEquals("RUNNING", get(plan).text("state"));
    Files.writeString(config, fast);
    return plan;
  }

  /** In the list, and where people look at the plan. */
  private void accountsForAll(String plan) throws Exception {
    Pattern account =
        Pattern.compile(
            "(\\d+) of (\\d+) moves done, (\\d+) failed, (\\d+) dropped, (\\d+) not begun; the service"
                + " ended meanwhile");
    Eventually.holds(
        "all of its moves are accounted for",
        () -> account.matcher(get(plan).text("note")).matches());
    JsonNode now = get(plan).body();
    assertEquals("INTERRUPTED", now.path("state").asText());
    Matcher said = account.matcher(now.path("note").asText());
    assertTrue(said.matches());
    int done = Integer.parseInt(said.group(1));
    int moves = now.path("moves").asInt();
    assertEquals(moves, Integer.parseInt(said.group(2)), now::toString);
    int others = 0;
    for (int i = 3; i <= 5; i++) {
      others += Integer.parseInt(said.group(i));
    }
    assertEquals(moves, done + others, now::toString);
    assertTrue(done > 0 && done < moves, now::toString);
    JsonNode space = get(plan + "/space").body();
    assertEquals(2, space.path("total").asInt(), () -> "SSD and DISK, before and after: " + space);

    String number = now.path("number").asText();
    for (JsonNode task : get("/tasks").body().path("items")) {
      if (task.path("what").asText().equals("plan " + number)) {
        assertEquals(moves, task.path("total").asInt(), task::toString);
      }
    }
    String service = api.replace("/api/v1", "");
    for (List<String> words : List.of(List.of("plan", "list"), List.of("plan", "show", number))) {
      List<String> line = new ArrayList<>(words);
      line.addAll(List.of("--service", service));
      Launched asked = Launched.installed(temp, "ann", line);
      assertTrue(asked.out().contains(said.group()), asked::toString);
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
              && newest.path("moves").asInt() > MOVES / 2
              && verified() > 0;
        });
    return running.get(running.size() - 1);
  }

  /**
   * Until what was under way is finished and verified: how many copies were, by then. A move that the pause met between its
   * record and its copy counts as running until it may go on.
   */
  private int comesToRest() {
    long[] seen = {-1, System.nanoTime()};
    Eventually.holds(
        "nothing is under way",
        () -> {
          int now = verified();
          if (now != seen[0]) {
            seen[0] = now;
            seen[1] = System.nanoTime();
          }
          JsonNode state = get("/state").body();
          return state.at("/moves/running").asInt(-1) == 0
              || System.nanoTime() - seen[1] > REST_NANOS;
        });
    return verified();
  }

  /** As its owner may: the plan comes to its end all the same. */
  private String deletesOneThatWaits(ServedCluster cluster) throws IOException {
    for (int i = FILES - 1; i >= 0; i--) {
      if (Set.of("PLANNED").containsAll(states(file(i)))) {
        cluster.superuser().delete(new org.apache.hadoop.fs.Path(file(i)), false);
        return file(i);
      }
    }
    throw new AssertionError("each file is being moved: " + get("/moves?limit=1000").body());
  }

  private Set<String> states(String path) {
    Set<String> states = new HashSet<>();
    get("/moves?path=" + path)
        .body()
        .path("items")
        .forEach(m -> states.add(m.path("state").asText()));
    return states;
  }

  /** Slower and without a DataNode, and then faster: both hold for the plan that waits to go on. */
  private void takesOtherLimitsMeanwhile(ServedCluster cluster, Path config, String plan)
      throws Exception {
    String node = filledMost(plan);
    long before = onSsd(cluster, node);
    String text = Files.readString(config);
    String words =
        reload(
            config,
            text.replace("\n  maxConcurrentCopies: 256\n", "\n  maxConcurrentCopies: 2\n")
                .replace("bandwidthPerNode: 50 KB", "bandwidthPerNode: 1 KB")
                .replace("exclude: []", "exclude: ['" + node + "']"));
    assertTrue(words.contains("act.maxConcurrentCopies: 256 -> 2"), words);
    assertTrue(words.contains("act.bandwidthPerNode: 50 KB -> 1 KB"), words);
    assertTrue(words.contains("act.exclude: [] -> [" + node + "]"), words);
    assertEquals("RUNNING", get(plan).text("state"));
    assertEquals(200, post("/control/resume", MEANT).status());
    Eventually.holds("what waits for that DataNode is dropped", () -> moves("dropped") > 0);
    String obstacle = get("/control").text("obstacle");
    assertFalse(obstacle.contains("the next plan waits"), obstacle);
    assertEquals(2, copiesAtMost());

    // Each other DataNode may begin one of them: at 1 KB/s the next block waits for four minutes.
    long left = moves("planned") - moves("verified") - moves("dropped") - moves("failed");
    assertTrue(left > 3, left + " moves are left");
    assertEquals("RUNNING", get(plan).text("state"));
    words =
        reload(
            config,
            text.replace("bandwidthPerNode: 50 KB", "bandwidthPerNode: 100 MB")
                .replace("exclude: []", "exclude: ['" + node + "']"));
    assertTrue(words.contains("act.maxConcurrentCopies: 2 -> 256"), words);
    long began = System.nanoTime();
    Eventually.holds("the plan is done", () -> get(plan).text("state").equals("DONE"));
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
    assertTrue(seconds < 100, "faster than at 1 KB/s: " + seconds + " s");
    assertEquals(0, moves("failed"));
    assertEquals(before, onSsd(cluster, node), "on the excluded " + node);
  }

  private void cancelsOne(Path config) throws IOException {
    String fast = Files.readString(config).replaceAll("exclude: .*", "exclude: []");
    reload(config, fast.replace("bandwidthPerNode: 100 MB", "bandwidthPerNode: 1 KB"));
    String plan = ordersBack();
    Eventually.holds("it is begun", () -> get(plan).text("state").equals("RUNNING"));
    assertEquals(200, post(plan + "/cancel", MEANT).status());
    Eventually.holds("it is over", () -> get(plan).text("state").equals("INTERRUPTED"));
    assertTrue(get(plan).text("note").contains(" is cancelled by "), get(plan)::toString);
    assertEquals("RUNNING", get("/control").text("state"), "others may go on");
    reload(config, fast);
  }

  private String reload(Path config, String text) throws IOException {
    Files.writeString(config, text);
    Answer answer = post("/config/reload", MEANT);
    assertEquals(200, answer.status(), answer::toString);
    return answer.text("what");
  }

  /** The DataNode to whose SSD the plan copies most. */
  private String filledMost(String plan) {
    String filled = "";
    long most = 0;
    for (JsonNode space : get(plan + "/space").body().path("items")) {
      long more = space.path("afterBytes").asLong() - space.path("beforeBytes").asLong();
      if (!space.path("node").asText().isEmpty()
          && space.path("type").asText().equals("SSD")
          && more > most) {
        most = more;
        filled = space.path("node").asText();
      }
    }
    assertTrue(most > 0, () -> get(plan + "/space").toString());
    return filled;
  }

  private static long onSsd(ServedCluster cluster, String node) throws IOException {
    long blocks = 0;
    long replicas = 0;
    for (int i = 0; i < FILES; i++) {
      if (!cluster.superuser().exists(new org.apache.hadoop.fs.Path(file(i)))) {
        continue;
      }
      for (BlockLocation block :
          cluster
              .superuser()
              .getFileBlockLocations(
                  new org.apache.hadoop.fs.Path(file(i)), 0, ServedCluster.FILE_BYTES)) {
        for (int j = 0; j < block.getNames().length; j++) {
          boolean isThere = block.getNames()[j].equals(node);
          replicas += isThere ? 1 : 0;
          blocks += isThere && block.getStorageTypes()[j].name().equals("SSD") ? 1 : 0;
        }
      }
    }
    assertTrue(replicas > 0, "HDFS knows " + node);
    return blocks;
  }

  private long moves(String what) {
    return get("/state").body().at("/moves/" + what).asLong(-1);
  }

  private long copiesAtMost() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(api.replace("/api/v1", "/metrics"))).build();
    String metrics = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    Matcher most = Pattern.compile("(?m)^thermocline_copies_max (\\d+)").matcher(metrics);
    assertTrue(most.find(), metrics);
    return Long.parseLong(most.group(1));
  }

  /** Whoever asks is told so soon, also where several do, and keeps nobody else from an answer. */
  private void cantBeTakenBackNow(String plan) {
    long began = System.nanoTime();
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
    assertTrue(System.nanoTime() - began < AT_ONCE_NANOS, "nobody waits for that plan's end");
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
