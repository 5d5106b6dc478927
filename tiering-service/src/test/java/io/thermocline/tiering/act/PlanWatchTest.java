// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a plan where something of it hangs. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlanWatchTest extends ExecutorStage {

  private static final Pacing SOON = new Pacing(1e9, Map.of(), 1e9, Duration.ofMinutes(2));

  private final ExecutorService copiers = Executors.newCachedThreadPool();
  private final CountDownLatch hanging = new CountDownLatch(1);

  /** What was shown while a copy hung, each time that somebody looked. */
  private final List<String> shown = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    hanging.countDown();
    copiers.shutdown();
    assertTrue(copiers.awaitTermination(20, TimeUnit.SECONDS));
  }

  @Test
  void showsWhatHangsAndEndsThePlanInTheEnd() throws InterruptedException {
    hdfs.duringCopy(this::hang);
    control.watch().begin("plan 1", nanos::get);

    execute(executor(copiers, SOON), List.of(promotion("/a")));

    assertEquals("", shown.get(0), "after 2 s");
    assertTrue(
        shown.stream()
            .anyMatch(
                one ->
                    one.startsWith("plan 1 has made no progress for ")
                        && one.contains(" s: it waits for the copy of /a (")),
        shown::toString);
    assertEquals("/a.0 COPYING", changes.get(0));
    assertEquals(
        "/a.0 FAILED not waited for: nothing has happened for",
        changes.get(1).replaceFirst(" \\d+ s$", ""));
  }

  /** The time of holds doesn't count, but they are no progress: a plan that goes on after each is stalled. */
  @Test
  void endsAPlanThatHangsBetweenHolds() throws InterruptedException {
    hdfs.duringCopy(
        () ->
            hang(
                () -> {
                  control.hold("cluster", "the balancer runs");
                  nanos.addAndGet(Duration.ofMinutes(1).toNanos());
                  control.release("cluster");
                }));
    control.watch().begin("plan 1", nanos::get);

    execute(executor(copiers, SOON), List.of(promotion("/a")));

    assertEquals(
        "/a.0 FAILED not waited for: nothing has happened for",
        changes.get(1).replaceFirst(" \\d+ s$", ""));
    long steps = shown.size();
    assertTrue(steps > 80 && steps < 120, steps + " times 2 s, which are 3 min without the holds");
  }

  private void hang() {
    hang(() -> {});
  }

  /** Each 2 s of the executor's time, until the plan is over. */
  private void hang(Runnable between) {
    Thread looker =
        new Thread(
            () -> {
              while (changes.size() < 2) {
                nanos.addAndGet(Duration.ofSeconds(2).toNanos());
                await(20);
                shown.add(control.obstacle());
                between.run();
              }
            });
    looker.start();
    try {
      hanging.await();
      looker.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void await(int millis) {
    try {
      assertFalse(hanging.await(millis, TimeUnit.MILLISECONDS) && changes.size() < 2);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void saysNothingWhileItIsHeldAndBeginsToCountAfterwards() {
    control.watch().begin("plan 1", nanos::get);
    control.hold("cluster", "the balancer runs");
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertEquals("the balancer runs", control.obstacle());
    assertEquals(Set.of("cluster"), control.heldBy());

    control.release("cluster");
    assertEquals("", control.obstacle());

    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    // As each look at the cluster does.
    control.release("cluster");
    assertEquals("plan 1 has made no progress for 9 s", control.obstacle());
    assertEquals(Set.of("stalled"), control.heldBy());
    assertEquals("", control.watch().stalled(), "too early for who balances load");
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertEquals("plan 1 has made no progress for 69 s", control.watch().stalled());

    control.watch().end();
    assertEquals("", control.obstacle());
  }

  @Test
  void silenceGoesOnWhereAHoldOrAPauseEnds() throws IOException {
    control.watch().begin("plan 1", nanos::get);
    nanos.addAndGet(Duration.ofSeconds(40).toNanos());
    control.pause("alice", "");
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    control.hold("cluster", "the balancer runs");
    control.resume("alice", "");
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertEquals("", control.watch().stalled());
    control.release("cluster");
    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    assertEquals("plan 1 has made no progress for 61 s", control.watch().stalled());

    control.hold("cluster", "the balancer runs");
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    control.watch().progressed();
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    control.release("cluster");
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    assertEquals("plan 1 has made no progress for 9 s", control.obstacle());
  }

  @Test
  void movesWithADataNodeThatIsSilentEndAndOthersGoOn() throws InterruptedException {
    String words = "DataNode dn2:9866 has sent no heartbeat for 12 s";
    PlanExecutor by = executor(copiers);
    by.without(Map.of("n2", words));

    execute(by, List.of(promotion("/a"), archivingElsewhere("/b")));

    assertTrue(
        changes.contains("/a.0 OBSOLETE " + words + ": to be planned anew"), changes::toString);
    assertTrue(changes.contains("/b.0 VERIFIED"), changes::toString);
    assertEquals(words, by.throttle().why());
  }

  @Test
  void pausesGrowUpToALimit() {
    ActLimits often =
        new ActLimits(
            1, 1, 20, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1));
    assertEquals(Duration.ofSeconds(1), often.pauseAfter(1));
    assertEquals(Duration.ofSeconds(8), often.pauseAfter(4));
    assertEquals(Duration.ofSeconds(16), often.pauseAfter(5));
    assertEquals(Duration.ofSeconds(16), often.pauseAfter(70));
  }
}
