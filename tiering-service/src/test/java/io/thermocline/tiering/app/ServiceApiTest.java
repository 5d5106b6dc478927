// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiClient;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Localhost;
import io.thermocline.tiering.app.plans.UndoResult;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.review.PlannedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The service's resources over HTTP; plans are carried out by the service's own parts. */
@Timeout(120)
class ServiceApiTest {

  private static final String YES = "{\"dryRun\":false,\"why\":\"looks right\"}";
  private static final String NO = "{}";

  @TempDir private Path temp;

  private final SetClock clock = new SetClock();
  private ApiParts parts;
  private ApiServer server;
  private ApiClient client;

  private void start(ServiceConfig.Mode mode, ServiceConfig.Approval approval) throws Exception {
    parts = new ApiParts(temp, mode, approval, clock);
    server =
        ApiServer.start(
            new ApiServer.Listen("127.0.0.1", 0, null),
            new ApiServer.Parts(
                parts.resources(),
                List.of(),
                new Localhost(),
                Activity.HERE,
                parts.replies(),
                (route, status, nanos) -> {}),
            Thread::new);
    client = new ApiClient(server.address());
  }

  private void start(ServiceConfig.Approval approval) throws Exception {
    start(ServiceConfig.Mode.APPLY, approval);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    parts.close();
  }

  @Test
  void answersEveryQuestion() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    for (String path :
        List.of(
            "/state",
            "/control",
            "/heat",
            "/directories?path=/",
            "/files?path=/d/a",
            "/plans",
            "/plans/1",
            "/plans/1/files",
            "/plans/1/unplaced",
            "/moves",
            "/groups",
            "/groups/space",
            "/groups/7",
            "/tasks",
            "/nodes",
            "/buckets",
            "/buckets/SSD/segments",
            "/config",
            "/rules",
            "/health/live",
            "/health/ready")) {
      ApiClient.Answer answer = client.get(path);
      assertEquals(200, answer.status(), () -> path + answer.body());
      assertFalse(client.text(path).isBlank());
    }
    assertEquals(
        client.document().path("paths").size(),
        client.get("/openapi.json").body().path("paths").size());
    assertEquals(6, client.get("/buckets/SSD/segments").body().get("total").asInt());
    assertEquals("NO_SUCH_TIER", client.get("/buckets/TAPE/segments").code());
    assertEquals("NO_SUCH_FILE", client.get("/files?path=/other").code());
    assertEquals("NO_SUCH_PLAN", client.get("/plans/7").code());
    assertEquals("NO_SUCH_TASK", client.get("/tasks/7").code());
  }

  @Test
  void saysWhatMovesBroughtAndCost() throws Exception {
    start(ServiceConfig.Mode.APPLY, ServiceConfig.Approval.ONE);
    assertEquals(0, client.get("/savings").body().get("total").asInt());
    ApiClient.Answer none = client.get("/savings/latest");
    assertEquals("NO_SUCH_REPORT", none.code());
    assertTrue(none.body().toString().contains("Shadow mode moves nothing"), none::toString);
    parts.savings("2026-11-20");
    parts.savings("2026-11-21");
    parts.damagedSavings("2026-11-19");
    JsonNode days = client.get("/savings").body();
    assertEquals(2, days.get("total").asInt());
    assertEquals("2026-11-21", days.at("/items/0/day").asText());
    JsonNode latest = client.get("/savings/latest").body();
    assertEquals(0.75, latest.get("fastShare").asDouble());
    assertEquals(3, latest.get("moves").asInt());
    assertEquals(10 << 20, latest.at("/written/0/budgetBytes").asInt());
    assertEquals(1, latest.get("mispredictions").asInt());
    assertEquals("estimated", latest.get("basis").asText());
    assertEquals(0.75, latest.at("/measured/fastShare").asDouble());
    assertEquals(0.75, latest.at("/measured/estimatedFastShare").asDouble());
    assertEquals(0.75, latest.at("/measured/attributedShare").asDouble());
    assertEquals("SSD", latest.at("/measured/served/1/type").asText());
    assertEquals(24 << 20, latest.at("/measured/served/1/servedBytes").asInt());
    String text = client.text("/savings/latest");
    assertTrue(text.contains("measured attributed"), text);
    JsonNode misprediction = client.get("/savings/latest/mispredictions").body().at("/items/0");
    assertEquals("DOWN_AND_READ", misprediction.get("kind").asText());
    assertEquals("/d/a", misprediction.get("path").asText());
    assertEquals("NO_SUCH_REPORT", client.get("/savings/2026-11-19/mispredictions").code());
  }

  @Test
  void reportsWhatShadowModeWouldHaveDone() throws Exception {
    start(ServiceConfig.Mode.SHADOW, ServiceConfig.Approval.ONE);
    assertEquals(0, client.get("/shadow").body().get("total").asInt());
    ApiClient.Answer none = client.get("/shadow/latest");
    assertEquals("NO_SUCH_REPORT", none.code());
    assertTrue(none.body().get("whatToDo").asText().contains("act.mode"), none.body()::toString);

    parts.report("2026-11-20");
    parts.report("2026-11-21");
    Files.writeString(parts.shadow().resolve("report-notes.json"), "{}");
    JsonNode days = client.get("/shadow").body();
    assertEquals("2026-11-21", days.at("/items/0/day").asText());
    assertEquals(2, days.get("total").asInt(), "other files beside them are passed over");
    assertEquals(0.75, days.at("/items/0/fastIfShare").asDouble());
    JsonNode latest = client.get("/shadow/latest").body();
    assertEquals(client.get("/shadow/2026-11-21").body(), latest);
    assertEquals(
        "0.0 % of 20 reads came from fast storage; 75.0 % would have (estimated)",
        latest.get("headline").asText());
    assertTrue(latest.get("cost").asText().startsWith("3 moves of 3.0 MB"), latest::toString);
    assertEquals(15 << 20, latest.at("/served/1/servedIfBytes").asInt());
    assertEquals("DISK to SSD", latest.at("/moves/0/way").asText());
    assertEquals(2, latest.at("/actions/CACHED").asInt());
    assertEquals(
        "would be on SSD",
        client.get("/shadow/latest/slow-reads").body().at("/items/0/why").asText());
    assertTrue(client.text("/shadow/latest").contains("DISK to SSD"));
    assertTrue(client.text("/shadow/latest/slow-reads").contains("/d/a"));
    ApiClient.Answer other = client.get("/shadow/2026-11-19");
    assertEquals("NO_SUCH_REPORT", other.code());
    assertTrue(other.body().get("whatToDo").asText().contains("2026-11-20 to 2026-11-21"));
    assertEquals("NO_SUCH_REPORT", client.get("/shadow/notes").code());
  }

  @Test
  void endsAGroupWhenThatIsMeant() throws Exception {
    start(ServiceConfig.Approval.NONE);
    assertEquals("NO_SUCH_GROUP", client.get("/groups/8").code());
    assertEquals("NO_SUCH_GROUP", client.post("/groups/8/dissolve", YES).code());
    assertEquals(200, client.post("/groups/7/dissolve", NO).status());
    assertEquals(1, client.get("/groups").body().get("total").asInt(), "that was a dry run");
    assertEquals(200, client.post("/groups/7/dissolve", YES).status());
    assertEquals(0, client.get("/groups").body().get("total").asInt());
  }

  @Test
  void carriesOutAtOnceWhereNobodyHasToApprove() throws Exception {
    start(ServiceConfig.Approval.NONE);
    parts.made(parts.plan("/d/a", "/d/b"));
    assertEquals("DONE", client.get("/plans/1").body().get("state").asText());
    JsonNode task = client.get("/tasks/1").body();
    assertEquals("DONE", task.get("state").asText());
    assertEquals("the service", task.get("who").asText());
    assertEquals(20, task.get("doneBytes").asLong());
    assertEquals(20, task.get("totalBytes").asLong());
    assertEquals(2, client.get("/moves").body().get("total").asInt());
    String state = client.get("/moves").body().at("/items/0/state").asText();
    assertTrue(List.of("VISIBLE", "VERIFIED").contains(state), state);
  }

  @Test
  void waitsForOneToApprove() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    JsonNode waiting = client.get("/plans").body().at("/items/0");
    assertEquals("WAITING", waiting.get("state").asText());
    assertEquals(1, waiting.get("missingApprovals").asInt());

    assertEquals("PLAN_NOT_APPROVED", client.post("/plans/1/execute", YES).code());
    assertEquals(200, client.post("/plans/1/approve", NO).status());
    assertEquals("WAITING", state(1));
    ApiClient.Answer approved = as("ann", "/plans/1/approve", YES);
    assertEquals(200, approved.status(), approved.body()::toString);
    assertEquals("APPROVED", state(1));
    assertEquals("PLAN_ALREADY_APPROVED", as("bo", "/plans/1/approve", YES).code());
    assertEquals("ann", client.get("/plans/1").body().at("/approvals/0/who").asText());
    assertFalse(parts.hdfs.calls().stream().anyMatch(call -> call.startsWith("copy")));

    ApiClient.Answer begun = as("bo", "/plans/1/execute", YES);
    assertEquals(202, begun.status(), begun.body()::toString);
    assertEquals("RUNNING", state(1));
    assertEquals("PLAN_RUNNING", client.post("/plans/1/execute", YES).code());
    assertTrue(parts.planQueue.await(0));
    assertEquals("DONE", state(1));
    JsonNode task = client.get("/tasks/" + begun.body().get("task")).body();
    assertEquals("DONE", task.get("state").asText());
    assertEquals("bo", task.get("who").asText());
    assertEquals("1 of 1 moves done, 0 failed, 0 dropped", task.get("result").asText());
    assertEquals("PLAN_ENDED", client.post("/plans/1/execute", YES).code());
  }

  @Test
  void waitsForTwoDifferentPeople() throws Exception {
    start(ServiceConfig.Approval.TWO);
    parts.made(parts.plan("/d/a"));
    assertEquals(200, as("ann", "/plans/1/approve", YES).status());
    assertEquals("WAITING", state(1));
    assertEquals("SAME_APPROVER", as("ann", "/plans/1/approve", YES).code());
    assertEquals("PLAN_NOT_APPROVED", as("ann", "/plans/1/execute", YES).code());
    String andGo = "{\"dryRun\":false,\"why\":\"me too\",\"execute\":true}";
    assertEquals(202, as("bo", "/plans/1/approve", andGo).status());
    assertTrue(parts.planQueue.await(0));
    assertEquals("DONE", state(1));
  }

  @Test
  void makesAPlanNowForSomebody() throws Exception {
    start(ServiceConfig.Approval.NONE);
    ApiClient.Answer would = as("ann", "/plans", NO);
    assertEquals(200, would.status(), would.body()::toString);
    assertTrue(would.body().get("dryRun").asBoolean());
    assertEquals(0, client.get("/plans").body().get("total").asInt(), "that was a dry run");

    String once = "{\"dryRun\":false,\"why\":\"new nodes\",\"requestId\":\"now-1\"}";
    ApiClient.Answer made = as("ann", "/plans", once);
    assertEquals(1, made.body().get("plan").asInt(), made.body()::toString);
    assertEquals("RUNNING", state(1));
    assertEquals(made.body(), as("ann", "/plans", once).body(), "not another one");
    assertTrue(parts.planQueue.await(0));
    assertEquals("DONE", state(1));

    parts.wanted = List.of();
    ApiClient.Answer none = as("ann", "/plans", YES);
    assertEquals("no plan: nothing to do", none.body().get("what").asText());
    assertFalse(none.body().has("plan"), none.body()::toString);
  }

  @Test
  void saysWhoAskedForAPlanThatWaits() throws Exception {
    start(ServiceConfig.Approval.ONE);
    as("ann", "/plans", "{\"dryRun\":false,\"why\":\"new nodes\"}");
    JsonNode plan = client.get("/plans/1").body();
    assertEquals("WAITING", plan.get("state").asText());
    assertEquals("asked for by ann: new nodes", plan.get("note").asText());
  }

  @Test
  void cancelsOnePlanAndCarriesOutTheNext() throws Exception {
    start(ServiceConfig.Approval.NONE);
    AtomicBoolean isAsked = new AtomicBoolean();
    List<ApiClient.Answer> answers = new CopyOnWriteArrayList<>();
    CountDownLatch answered = new CountDownLatch(1);
    parts.hdfs.duringCopy(
        () -> {
          try {
            if (isAsked.compareAndSet(false, true)) {
              answers.add(as("bo", "/plans/1/cancel", NO));
              answers.add(as("bo", "/plans/1/cancel", "{\"dryRun\":false,\"why\":\"wrong time\"}"));
              answered.countDown();
            }
            assertTrue(answered.await(1, TimeUnit.MINUTES));
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    List<String> paths = IntStream.range(0, 20).mapToObj(i -> "/d/f" + i).toList();
    parts.made(parts.plan(paths.toArray(String[]::new)));

    assertEquals(List.of(200, 200), answers.stream().map(ApiClient.Answer::status).toList());
    assertEquals("INTERRUPTED", state(1));
    String note = client.get("/plans/1").body().get("note").asText();
    assertTrue(note.endsWith("dropped; plan 1 is cancelled by bo: wrong time"), note);
    JsonNode moves = client.get("/moves?limit=100").body().get("items");
    List<String> states = new ArrayList<>();
    moves.forEach(move -> states.add(move.get("state").asText()));
    assertTrue(states.contains("CANCELLED"), states::toString);
    assertTrue(states.contains("VISIBLE") || states.contains("VERIFIED"), states::toString);
    assertFalse(states.contains("FAILED"), states::toString);
    assertEquals("PLAN_ENDED", as("bo", "/plans/1/cancel", YES).code());
    assertEquals("RUNNING", client.get("/control").body().get("state").asText());
    assertTrue(parts.handler.control().mayBegin());

    parts.made(parts.plan("/d/next"));
    assertEquals("DONE", state(2));
  }

  @Test
  void cancelsAPlanThatIsBegunButNotCarriedOutYet() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    as("ann", "/plans/1/approve", "{\"dryRun\":false,\"why\":\"fine\",\"execute\":true}");
    ApiClient.Answer cancelled = as("bo", "/plans/1/cancel", YES);
    assertEquals(200, cancelled.status(), cancelled.body()::toString);
    assertTrue(parts.planQueue.await(0));
    assertEquals("INTERRUPTED", state(1));
    assertFalse(parts.hdfs.calls().stream().anyMatch(call -> call.startsWith("copy")));

    parts.made(parts.plan("/d/b"));
    assertEquals(200, as("bo", "/plans/2/cancel", YES).status());
    assertEquals("DISCARDED", state(2), "nothing of it was begun");
    assertEquals("NO_SUCH_PLAN", as("bo", "/plans/7/cancel", YES).code());
  }

  @Test
  void aPlanThatSomebodyAskedForStandsBesideTheOthers() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    parts.planQueue.ordered(parts.order("/d/b"), "order of ann: report", parts.scene.cluster());
    parts.made(parts.plan("/d/c"));
    assertEquals("STALE", state(1));
    assertEquals("WAITING", state(2), "what the service plans takes no order's place");
    assertEquals("WAITING", state(3), "and no order the place of that");
    parts.planQueue.ordered(parts.order("/d/e"), "order of ann: report", parts.scene.cluster());
    String andGo = "{\"dryRun\":false,\"why\":\"fine\",\"execute\":true}";
    assertEquals(202, as("bo", "/plans/3/approve", andGo).status());
    assertTrue(parts.planQueue.await(0));
    assertEquals("DONE", state(3));
    assertEquals(202, as("bo", "/plans/2/approve", andGo).status());
    assertTrue(parts.planQueue.await(0));
    assertEquals("DONE", state(2));
    assertEquals("WAITING", state(4));
    clock.now = clock.now.plus(Duration.ofHours(2));
    assertEquals("STALE", state(4), "as any that nobody approves");

    for (int i = 0; i < 20; i++) {
      parts.planQueue.ordered(
          parts.order("/d/f" + i), "order of ann: report", parts.scene.cluster());
    }
    assertThrows(
        IllegalStateException.class,
        () ->
            parts.planQueue.ordered(
                parts.order("/d/g"), "order of ann: report", parts.scene.cluster()));
  }

  @Test
  void showsHowFullStoragesAreBeforeAndAfter() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.planQueue.ordered(parts.order("/d/b"), "order of ann: report", parts.scene.cluster());
    JsonNode space = client.get("/plans/1/space").body().get("items");
    List<String> rows = new ArrayList<>();
    space.forEach(
        row ->
            rows.add(
                row.get("node").asText()
                    + " "
                    + row.get("type").asText()
                    + " "
                    + (row.get("afterBytes").asLong() - row.get("beforeBytes").asLong())
                    + " of "
                    + row.get("capacityBytes").asLong()));
    assertEquals(
        List.of(
            " SSD 10 of 600",
            " DISK -10 of 6000",
            "n1:9866 DISK -10 of 1000",
            "n2:9866 SSD 10 of 100"),
        rows);
    restart(ServiceConfig.Approval.ONE);
    JsonNode types = client.get("/plans/1/space").body().get("items");
    assertEquals(2, types.size(), "storage types are known after a restart, too");
    assertEquals(space.get(0), types.get(0));
  }

  @Test
  void saysWhatAPlanDoesToWholeDirectoriesAndWhatItCantDo() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.onDirectory(parts.plan("/d/a", "/d/b"), "/d"));
    JsonNode policy = client.get("/plans/1").body().get("policies");
    assertEquals("[{\"path\":\"/d\",\"policy\":\"ONE_SSD\",\"files\":2}]", policy.toString());
    String would = client.post("/plans/1/approve", NO).body().get("what").asText();
    assertTrue(
        would.contains("2 files, 2 moves, 20 B; sets ONE_SSD on /d, for its 2 files and new ones)"),
        would);
    JsonNode unplaced = client.get("/plans/1/unplaced?path=/d").body().get("items");
    assertEquals(
        "[{\"path\":\"/d/c\",\"target\":\"SSD DISK DISK (ONE_SSD)\",\"reason\":\"no room\"}]",
        unplaced.toString());
    restart(ServiceConfig.Approval.ONE);
    JsonNode again = client.get("/plans/1").body();
    assertEquals(policy, again.get("policies"), "also after a restart");
    assertEquals(1, again.get("unplaced").asInt());
    assertEquals(unplaced, client.get("/plans/1/unplaced?path=/d").body().get("items"));
  }

  @Test
  void saysWhichPlansThereAreWhereOneIsToBeTakenBack() throws Exception {
    start(ServiceConfig.Approval.NONE);
    ApiClient.Answer none = client.post("/plans/99/undo", YES);
    assertEquals("NO_SUCH_PLAN", none.code());
    assertEquals("the last plan is 3", none.body().get("whatToDo").asText());
    assertEquals("NOTHING_TO_UNDO", client.get("/plans/2/undo").code());
    JsonNode part = client.get("/plans/1/undo?limit=1&offset=1").body();
    assertEquals("[\"/d/b\"]", part.get("paths").toString());
    assertEquals(3, part.get("pathsTotal").asInt());
    assertEquals(202, client.post("/plans/1/undo", YES).status());
    assertEquals(
        "takes back plan 3: 1001 paths, 1 move; checks each path first",
        client.post("/plans/3/undo", NO).body().get("what").asText());

    parts.made(parts.plan("/d/a"));
    parts.planQueue.undone(
        new UndoResult(1, 2, List.of("/d/a"), 1, Map.of("/d/b", "changed")),
        List.of(new PlannedFile("/d/a", "UNDONE", "SSD", "DISK", 1, 7, "back")),
        "ann",
        "not today");
    JsonNode undone = client.get("/plans").body().at("/items/0");
    assertEquals(
        "takes back plan 1 for ann: not today; left unchanged: 1 file",
        undone.get("note").asText());
    assertEquals("UNDONE", client.get("/plans/2/files").body().at("/items/0/cause").asText());
    restart(ServiceConfig.Approval.NONE);
    assertEquals("DONE", state(2), "also after a restart");
  }

  @Test
  void saysWhichDataNodesAreSilent() throws Exception {
    start(ServiceConfig.Approval.NONE);
    JsonNode nodes = client.get("/nodes").body().get("items");
    assertFalse(nodes.get(0).has("silent"));
    assertEquals("n6 is silent for 40 s", nodes.get(5).get("silent").asText());
  }

  @Test
  void takesAnOrderToMove() throws Exception {
    start(ServiceConfig.Approval.NONE);
    String body = "{\"path\":\"/d/a/\",\"type\":\"SSD\"%s}";
    ApiClient.Answer would = as("ann", "/moves", body.formatted(""));
    assertEquals(200, would.status(), would.body()::toString);
    assertEquals("SSD for ann", would.body().get("what").asText());
    for (String wrong :
        List.of(
            "{\"path\":\"d\",\"type\":\"SSD\"}",
            "{\"path\":\"/d/../e\",\"type\":\"SSD\"}",
            "{\"path\":\"/d//e\",\"type\":\"SSD\"}",
            "{\"path\":\"/d/a:b\",\"type\":\"SSD\"}",
            "{\"path\":\"/d\",\"type\":\"FLOPPY\"}",
            "{\"path\":\"/d\",\"type\":\"RAM_DISK\"}")) {
      assertEquals("BAD_FIELD", as("ann", "/moves", wrong).code(), wrong);
    }
    assertEquals("MISSING_FIELD", as("ann", "/moves", "{\"type\":\"SSD\"}").code());
    assertEquals("MISSING_FIELD", as("ann", "/moves", "{\"path\":\"/d\"}").code());
    assertEquals("MISSING_FIELD", as("ann", "/moves", body.formatted(",\"dryRun\":false")).code());
  }

  @Test
  void aPlanThatWaitsFollowsTheNodesThatAreRightNow() throws Exception {
    start(ServiceConfig.Approval.ONE);
    Plan first = parts.plan("/d/a");
    parts.made(first);
    parts.made(parts.elsewhere(first).numbered(2));
    assertEquals(1, client.get("/plans").body().get("total").asInt());
    assertEquals("WAITING", state(1));
    String andGo = "{\"dryRun\":false,\"why\":\"it is hot\",\"execute\":true}";
    assertEquals(202, client.post("/plans/1/approve", andGo).status());
    assertTrue(parts.planQueue.await(0));
    assertEquals("DONE", state(1));
    assertEquals(
        List.of("1-/d/a to n4 SSD"),
        parts.handler.recentMoves().stream().map(move -> move.id() + " to " + move.to()).toList());
  }

  @Test
  void staleIsWhatAnotherPlanReplaced() throws Exception {
    start(ServiceConfig.Approval.ONE);
    Plan first = parts.plan("/d/a");
    parts.made(first);
    parts.made(new Plan(2, first.files(), List.of()));
    assertEquals(1, client.get("/plans").body().get("total").asInt());
    parts.made(parts.plan("/d/b"));
    assertEquals("STALE", state(1));
    assertEquals("PLAN_STALE", client.post("/plans/1/approve", YES).code());
    assertEquals("PLAN_STALE", client.post("/plans/1/discard", YES).code());
    assertEquals("WAITING", state(2));
    clock.now = clock.now.plus(Duration.ofHours(2));
    ApiClient.Answer old = client.post("/plans/2/approve", YES);
    assertEquals("PLAN_STALE", old.code());
    assertTrue(old.body().get("message").asText().contains("act.approveWithin"));
  }

  @Test
  void aRequestThatComesAgainAfterARestartIsNotDoneAgain() throws Exception {
    start(ServiceConfig.Approval.TWO);
    parts.made(parts.plan("/d/a"));
    String ann = "{\"dryRun\":false,\"why\":\"looks right\",\"requestId\":\"ann-1\"}";
    ApiClient.Answer first = as("ann", "/plans/1/approve", ann);
    assertEquals(200, first.status(), first.body()::toString);
    String pause = "{\"dryRun\":false,\"why\":\"maintenance\",\"requestId\":\"p\"}";
    ApiClient.Answer paused = as("ann", "/control/pause", pause);
    as("bo", "/control/resume", YES);

    restart(ServiceConfig.Approval.TWO);

    ApiClient.Answer again = as("ann", "/plans/1/approve", ann);
    assertEquals(200, again.status(), again.body()::toString);
    assertEquals(first.body(), again.body(), "though the plan is stale by now");
    assertEquals("STALE", state(1));
    assertEquals(paused.body(), as("ann", "/control/pause", pause).body());
    assertEquals("RUNNING", client.get("/control").body().get("state").asText(), "not again");
    assertEquals("REQUEST_ID_REUSED", as("bo", "/plans/1/approve", ann).code());

    clock.now = clock.now.plus(Duration.ofHours(25));
    assertEquals("PLAN_STALE", as("ann", "/plans/1/approve", ann).code(), "forgotten in a day");
  }

  @Test
  void changesNothingThatTheJournalHasNoRoomFor() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    parts.disk.isFull = true;
    for (String path : List.of("/plans/1/approve", "/plans/1/discard", "/control/pause")) {
      ApiClient.Answer full = client.post(path, YES);
      assertEquals("JOURNAL_UNAVAILABLE", full.code(), full.body()::toString);
      assertEquals(503, full.status());
      assertTrue(full.body().get("message").asText().contains("No space left on device"));
      assertTrue(full.body().get("whatToDo").asText().contains("make room"));
    }
    assertEquals("WAITING", state(1));
    assertEquals("RUNNING", client.get("/control").body().get("state").asText());
    parts.disk.isFull = false;
    assertEquals(200, client.post("/plans/1/approve", YES).status());
    assertEquals("APPROVED", state(1));
  }

  private void restart(ServiceConfig.Approval approval) throws Exception {
    stop();
    start(approval);
  }

  @Test
  void saysWhatRulesAreAboutAndWhatOthersWouldChange() throws Exception {
    start(ServiceConfig.Approval.ONE);
    JsonNode pinned = client.get("/rules").body().at("/items/1");
    assertEquals("manage.pin", pinned.get("name").asText());
    assertEquals(0, pinned.get("files").asInt(), pinned::toString);

    ApiClient.Answer checked =
        client.post(
            "/rules/check",
            "{\"text\": \"version: 1\\nrules:\\n  - {name: a, paths: [/d], atMost: HOT}\\n\"}");
    assertEquals(200, checked.status(), checked.body()::toString);
    assertEquals(1, checked.body().get("files").asInt());
    JsonNode change = checked.body().at("/changes/0");
    assertEquals("SSD to DISK", change.get("move").asText(), checked.body()::toString);
    assertEquals("/d/a", change.at("/examples/0").asText());

    ApiClient.Answer wrong = client.post("/rules/check", "{\"text\": \"version: 1\\nrule: []\"}");
    assertEquals("BAD_FIELD", wrong.code());
    assertTrue(wrong.body().get("message").asText().contains("text:2"), wrong.body()::toString);
    ApiClient.Answer deep =
        client.post("/rules/check", "{\"text\": \"rules: " + "[".repeat(30_000) + "\"}");
    assertEquals("BAD_FIELD", deep.code(), deep.body()::toString);
    assertTrue(deep.body().get("message").asText().startsWith("text:1:"), deep.body()::toString);
    ApiClient.Answer json = client.post("/rules/check", "[".repeat(30_000));
    assertEquals("MALFORMED_JSON", json.code(), json.body()::toString);
  }

  @Test
  void checksRulesForOneAtATime() throws Exception {
    start(ServiceConfig.Approval.ONE);
    String rules = "{\"text\": \"version: 1\"}";
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    parts.beforeImpact =
        () -> {
          begun.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    FutureTask<Integer> first = new FutureTask<>(() -> client.post("/rules/check", rules).status());
    new Thread(first).start();
    begun.await();
    ApiClient.Answer second = client.post("/rules/check", rules);
    assertEquals("BUSY", second.code());
    goOn.countDown();
    assertEquals(200, first.get());
    assertEquals(200, client.post("/rules/check", rules).status());
  }

  @Test
  void endsACheckOfRulesThatTakesTooLong() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.isImpactOver = () -> true;
    String rule = "{name: a, paths: ['/**a**b*!'], atMost: SSD}";
    ApiClient.Answer slow =
        client.post("/rules/check", "{\"text\": \"version: 1\\nrules: [" + rule + "]\"}");
    assertEquals("BAD_FIELD", slow.code());
    assertTrue(slow.body().get("message").asText().contains("takes too long"), slow::toString);
    assertEquals(200, client.post("/rules/check", "{\"text\": \"version: 1\"}").status());
  }

  @Test
  void discardsWhatNobodyWants() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    client.post("/plans/1/discard", NO);
    assertEquals("WAITING", state(1));
    as("ann", "/plans/1/discard", YES);
    assertEquals("DISCARDED", state(1));
    assertEquals("PLAN_ENDED", client.post("/plans/1/approve", YES).code());
    assertEquals("ann: looks right", client.get("/plans/1").body().get("note").asText());
  }

  @Test
  void approvesNothingInShadowMode() throws Exception {
    start(ServiceConfig.Mode.SHADOW, ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    assertEquals("REPORTED", state(1));
    assertEquals("SHADOW_MODE", client.post("/plans/1/approve", YES).code());
    assertEquals("SHADOW_MODE", client.post("/plans/1/execute", YES).code());
    assertEquals(200, client.post("/plans/1/discard", YES).status());
  }

  @Test
  void beginsNothingWhilePaused() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    client.post("/plans/1/approve", YES);
    assertEquals(200, client.post("/control/pause", NO).status());
    assertEquals("RUNNING", client.get("/control").body().get("state").asText());
    assertEquals(200, as("ann", "/control/pause", YES).status());
    JsonNode paused = client.get("/control").body();
    assertEquals("PAUSED", paused.get("state").asText());
    assertEquals("ann", paused.get("who").asText());
    assertEquals("NOT_NOW", client.post("/plans/1/execute", YES).code());
    client.post("/control/resume", YES);
    assertEquals(202, client.post("/plans/1/execute", YES).status());
    client.post("/control/stop", "{\"dryRun\":false,\"why\":\"w\",\"how\":\"FINISH\"}");
    assertEquals("BAD_FIELD", client.post("/control/stop", "{\"how\":\"NOW\"}").code());
  }

  @Test
  void showsHowFarATaskIs() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a", "/d/b"));
    client.post("/plans/1/approve", YES);
    CountDownLatch copying = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    parts.hdfs.duringCopy(
        () -> {
          copying.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    client.post("/plans/1/execute", YES);
    Thread planning =
        new Thread(
            () -> {
              try {
                parts.planQueue.await(0);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    planning.start();
    assertTrue(copying.await(60, TimeUnit.SECONDS));
    JsonNode task = client.get("/tasks/1").body();
    assertEquals("RUNNING", task.get("state").asText());
    assertEquals(0, task.get("done").asInt());
    assertEquals(2, task.get("total").asInt());
    goOn.countDown();
    planning.join();
    assertEquals(2, client.get("/tasks/1").body().get("done").asInt());
  }

  @Test
  void remembersPlansOverARestart() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.made(parts.plan("/d/a"));
    as("ann", "/plans/1/approve", YES);
    client.post("/plans/1/execute", YES);
    parts.planQueue.await(0);
    parts.made(parts.plan("/d/b"));
    stop();
    start(ServiceConfig.Approval.ONE);
    JsonNode done = client.get("/plans/1").body();
    assertEquals("DONE", done.get("state").asText());
    assertEquals("ann", done.at("/approvals/0/who").asText());
    assertEquals("/d/a", client.get("/plans/1/files").body().at("/items/0/path").asText());
    assertEquals("STALE", state(2));
    assertEquals("PLAN_STALE", client.post("/plans/2/approve", YES).code());
    assertEquals(3, parts.plan("/d/c").number());
  }

  private String state(int plan) throws Exception {
    return client.get("/plans/" + plan).body().get("state").asText();
  }

  private ApiClient.Answer as(String who, String path, String body) throws Exception {
    return client.post(path, body, Map.of(Localhost.USER, who));
  }

  /** Stands still until it is set. */
  private static final class SetClock extends Clock {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instant instant() {
      return now;
    }
  }
}
