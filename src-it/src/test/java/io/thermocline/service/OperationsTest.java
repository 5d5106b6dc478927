// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.client.HintAnswer;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.api.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What hints ask for, of a service that is a process and is killed meanwhile. */
@Tag("cluster")
class OperationsTest {

  private static final Duration LATER = Duration.ofSeconds(5);
  private static final long LEASE = Duration.ofHours(2).toMillis();

  @TempDir static Path temp;

  private static ServedCluster cluster;
  private static Callers callers;
  private static Path config;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            ServedCluster.actsForCallers(ServiceProcess.USER));
    cluster.write("/ops/hot");
    org.apache.hadoop.fs.Path ops = new org.apache.hadoop.fs.Path("/ops");
    cluster.superuser().setOwner(ops, "alice", null);
    cluster.superuser().setOwner(new org.apache.hadoop.fs.Path(ops, "hot"), "alice", null);
    callers = new Callers(temp, Map.of("alice", Role.OPERATOR));
    config = callers.known(cluster.setup("/ops").apply()).write(temp.resolve("service"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void tasksOutlastAServiceThatIsKilled() throws Exception {
    long done;
    long open;
    String openHint;
    Map<?, ?> before;
    try (ServiceProcess service = service()) {
      ServiceClient alice = to(service);
      HintAnswer prefetch =
          give(alice, Hint.onFile(Operation.PREFETCH, "/ops/hot").startMillis(LATER.toMillis()));
      Map<?, ?> hint = (Map<?, ?>) alice.get("/hints/" + ServiceClient.escaped(prefetch.id()));
      done = prefetch.task();
      Eventually.holds("prefetched", () -> !is("RUNNING", task(alice, done)));
      assertTrue(is("DONE", task(alice, done)), () -> task(alice, done).toString());
      HintAnswer redirect = give(alice, Hint.onDirectory(Operation.REDIRECT, "/ops"));
      open = redirect.task();
      openHint = redirect.id();
      Eventually.holds("seen", () -> number(task(alice, open), "total") == 1);
      before = task(alice, done);
      assertTrue(
          Instant.parse((String) before.get("ended")).toEpochMilli() >= number(hint, "starts"),
          () -> "before it begins: " + hint);
      Map<?, ?> tuple = (Map<?, ?>) ((List<?>) before.get("operations")).get(0);
      assertEquals(
          List.of("PREFETCH", "/ops/hot", "DISK", "SSD"),
          List.of(
              tuple.get("op"), tuple.get("chunk"), tuple.get("source"), tuple.get("destination")));
      assertTrue(is("RUNNING", task(alice, open)), () -> task(alice, open).toString());
    }
    try (ServiceProcess service = service()) {
      ServiceClient alice = to(service);
      assertEquals(before, task(alice, done));
      assertTrue(is("RUNNING", task(alice, open)), () -> task(alice, open).toString());
      Eventually.holds("seen anew", () -> number(task(alice, open), "total") == 1);
      alice.delete("/hints/" + ServiceClient.escaped(openHint));
      Eventually.holds("ended", () -> !is("RUNNING", task(alice, open)));
      assertTrue(
          task(alice, open).get("result").toString().contains("the hint is over"),
          () -> task(alice, open).toString());
      service.terminate();
    }
  }

  private static ServiceProcess service() throws IOException {
    return ServiceProcess.start(config.getParent(), config).logs("plan ", " files managed");
  }

  private static ServiceClient to(ServiceProcess service) throws IOException {
    return callers.client(service.address(), "alice");
  }

  private static Hint hint(Hint.Builder builder) {
    return builder.owner("alice").temperature(Temperature.HOT).leaseExpiryMillis(LEASE).build();
  }

  private static HintAnswer give(ServiceClient alice, Hint.Builder builder)
      throws ServiceException {
    HintAnswer answer = alice.give(List.of(hint(builder)), 0, false).get(0);
    assertTrue(answer.isTaken(), answer::toString);
    return answer;
  }

  private static Map<?, ?> task(ServiceClient alice, long id) {
    try {
      return (Map<?, ?>) alice.get("/tasks/" + id);
    } catch (ServiceException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean is(String state, Map<?, ?> task) {
    return state.equals(task.get("state"));
  }

  private static long number(Map<?, ?> task, String field) {
    return ((Number) task.get(field)).longValue();
  }
}
