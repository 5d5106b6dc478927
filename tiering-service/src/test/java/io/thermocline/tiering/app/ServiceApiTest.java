// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiClient;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Localhost;
import io.thermocline.tiering.plan.Plan;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
            new ApiServer.Parts(parts.resources(), List.of(), new Localhost(), Activity.HERE),
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
    parts.desk.made(parts.plan("/d/a"));
    for (String path :
        List.of(
            "/state",
            "/steering",
            "/heat",
            "/directories?path=/",
            "/files?path=/d/a",
            "/plans",
            "/plans/1",
            "/plans/1/files",
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
  void endsAGroupWhenThatIsMeant() throws Exception {
    start(ServiceConfig.Approval.NONE);
    assertEquals("NO_SUCH_GROUP", client.get("/groups/8").code());
    assertEquals("NO_SUCH_GROUP", client.post("/groups/8/end", YES).code());
    assertEquals(200, client.post("/groups/7/end", NO).status());
    assertEquals(1, client.get("/groups").body().get("total").asInt(), "that was a dry run");
    assertEquals(200, client.post("/groups/7/end", YES).status());
    assertEquals(0, client.get("/groups").body().get("total").asInt());
  }

  @Test
  void carriesOutAtOnceWhereNobodyHasToApprove() throws Exception {
    start(ServiceConfig.Approval.NONE);
    parts.desk.made(parts.plan("/d/a", "/d/b"));
    assertEquals("DONE", client.get("/plans/1").body().get("state").asText());
    JsonNode task = client.get("/tasks/1").body();
    assertEquals("DONE", task.get("state").asText());
    assertEquals("the service", task.get("who").asText());
    assertEquals(2, client.get("/moves").body().get("total").asInt());
    String state = client.get("/moves").body().at("/items/0/state").asText();
    assertTrue(List.of("SHOWN", "VERIFIED").contains(state), state);
  }

  @Test
  void waitsForOneToApprove() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.desk.made(parts.plan("/d/a"));
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
    assertTrue(parts.desk.await(0));
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
    parts.desk.made(parts.plan("/d/a"));
    assertEquals(200, as("ann", "/plans/1/approve", YES).status());
    assertEquals("WAITING", state(1));
    assertEquals("SAME_APPROVER", as("ann", "/plans/1/approve", YES).code());
    assertEquals("PLAN_NOT_APPROVED", as("ann", "/plans/1/execute", YES).code());
    String andGo = "{\"dryRun\":false,\"why\":\"me too\",\"execute\":true}";
    assertEquals(202, as("bo", "/plans/1/approve", andGo).status());
    assertTrue(parts.desk.await(0));
    assertEquals("DONE", state(1));
  }

  @Test
  void staleIsWhatAnotherPlanReplaced() throws Exception {
    start(ServiceConfig.Approval.ONE);
    Plan first = parts.plan("/d/a");
    parts.desk.made(first);
    parts.desk.made(new Plan(2, first.files(), List.of()));
    assertEquals(1, client.get("/plans").body().get("total").asInt());
    parts.desk.made(parts.plan("/d/b"));
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
  void discardsWhatNobodyWants() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.desk.made(parts.plan("/d/a"));
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
    parts.desk.made(parts.plan("/d/a"));
    assertEquals("SAID", state(1));
    assertEquals("SHADOW_MODE", client.post("/plans/1/approve", YES).code());
    assertEquals("SHADOW_MODE", client.post("/plans/1/execute", YES).code());
    assertEquals(200, client.post("/plans/1/discard", YES).status());
  }

  @Test
  void beginsNothingWhilePaused() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.desk.made(parts.plan("/d/a"));
    client.post("/plans/1/approve", YES);
    assertEquals(200, client.post("/steering/pause", NO).status());
    assertEquals("RUNNING", client.get("/steering").body().get("state").asText());
    assertEquals(200, as("ann", "/steering/pause", YES).status());
    JsonNode paused = client.get("/steering").body();
    assertEquals("PAUSED", paused.get("state").asText());
    assertEquals("ann", paused.get("who").asText());
    assertEquals("NOT_NOW", client.post("/plans/1/execute", YES).code());
    client.post("/steering/resume", YES);
    assertEquals(202, client.post("/plans/1/execute", YES).status());
    client.post("/steering/stop", "{\"dryRun\":false,\"why\":\"w\",\"how\":\"FINISH\"}");
    assertEquals("BAD_FIELD", client.post("/steering/stop", "{\"how\":\"NOW\"}").code());
  }

  @Test
  void showsHowFarATaskIs() throws Exception {
    start(ServiceConfig.Approval.ONE);
    parts.desk.made(parts.plan("/d/a", "/d/b"));
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
                parts.desk.await(0);
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
    parts.desk.made(parts.plan("/d/a"));
    as("ann", "/plans/1/approve", YES);
    client.post("/plans/1/execute", YES);
    parts.desk.await(0);
    parts.desk.made(parts.plan("/d/b"));
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
