// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterWatchTest {

  private static final Surroundings.Bounds BOUNDS = new Surroundings.Bounds(5, 100, 20, 2);
  private static final Surroundings QUIET = seen(false, false, List.of(), 5, List.of());

  private Instant time = Instant.parse("2026-11-22T12:00:00Z");
  private final Clock sunday =
      new Clock() {
        @Override
        public Instant instant() {
          return time;
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          throw new UnsupportedOperationException();
        }
      };
  private final Steering steering = Steering.running(sunday);
  private final List<String> gaveWay = new ArrayList<>();
  private final List<Integer> atMost = new ArrayList<>();
  private Throttle throttle = Throttle.NONE;
  private Surroundings now = QUIET;

  @Test
  void holdsWhileSomethingElseIsAtWorkAndSaysWhat() throws InterruptedException {
    assertEquals(
        "the NameNode is in safe mode", reason(seen(true, false, List.of(), 0, List.of())));
    assertEquals(
        "an upgrade of HDFS isn't finalised", reason(seen(false, true, List.of(), 0, List.of())));
    assertEquals(
        "DataNodes are being decommissioned or enter maintenance: dn1:9866, dn2:9866",
        reason(seen(false, false, List.of("dn1:9866", "dn2:9866"), 0, List.of())));
    assertEquals(
        "6 blocks have too few replicas (act.yield.lowRedundancy: 5)",
        reason(seen(false, false, List.of(), 6, List.of())));
    assertEquals(
        "the NameNode is in safe mode; Hadoop's Balancer runs",
        reason(seen(true, false, List.of(), 0, List.of("Hadoop's Balancer runs"))));
    assertEquals("", reason(QUIET));
    assertTrue(steering.mayBegin());
  }

  /** Nobody can make so many replicas, so that nobody waits for them for ever; and status says so. */
  @Test
  void waitsForWhatHdfsMendsAlone() throws InterruptedException {
    ClusterWatch watch = watch(() -> now, Windows.always());
    now = low(50, 0);
    watch.look();
    assertEquals(Set.of("cluster"), steering.heldBy());
    time = time.plus(Duration.ofMinutes(10));
    watch.look();

    assertTrue(steering.mayBegin());
    assertEquals(
        "moves go on although 50 blocks have too few replicas: their number has not gone down for"
            + " 600 s (act.yield.lowRedundancy: 5)",
        steering.obstacle());
    assertEquals(Set.of("redundancy"), steering.heldBy(), "of metrics, where it stands beside");

    now = low(51, 6);
    watch.look();
    assertEquals(
        "6 blocks have one live replica at most (act.yield.lowRedundancy: 5)", steering.reason());
    now = low(50, 5);
    watch.look();
    assertTrue(steering.mayBegin());
    now = QUIET;
    watch.look();
    assertEquals("", steering.obstacle());
    assertEquals(Set.of(), steering.heldBy());
  }

  private static Surroundings low(long blocks, long urgent) {
    return new Surroundings(
        false,
        false,
        List.of(),
        new Surroundings.LowRedundancy(blocks, urgent),
        List.of(),
        Map.of(),
        Set.of(),
        Map.of(),
        Double.NaN,
        Map.of());
  }

  @Test
  void holdsWhereHdfsDoesNotAnswer() throws InterruptedException {
    watch(
            () -> {
              throw new IOException("connection refused");
            },
            Windows.always())
        .look();

    assertFalse(steering.mayBegin());
    assertTrue(steering.reason().endsWith("connection refused"), steering.reason());
  }

  @Test
  void holdsUntilAMoverThatIsAwayIsBack() throws InterruptedException {
    boolean[] isBack = new boolean[1];
    ClusterWatch watch =
        watch(
            () -> {
              if (!isBack[0]) {
                throw new HeldBackException("the mover doesn't answer");
              }
              return QUIET;
            },
            Windows.always());
    watch.look();
    assertEquals("the mover doesn't answer", steering.reason());
    assertEquals(Set.of("mover"), steering.heldBy());
    isBack[0] = true;
    watch.look();
    assertTrue(steering.mayBegin());
  }

  @Test
  void holdsOutsideTheCalendarBesideAllElse() throws InterruptedException {
    Windows nights = Windows.of(List.of("daily 20:00-24:00"), ZoneOffset.UTC);
    watch(() -> seen(true, false, List.of(), 0, List.of()), nights).look();

    assertTrue(steering.reason().startsWith("outside act.windows"), steering.reason());
    assertTrue(steering.reason().endsWith("safe mode"), steering.reason());
  }

  @Test
  void otherTimesHoldAtOnce() throws InterruptedException {
    ClusterWatch watch = watch(() -> QUIET, Windows.always());
    watch.look();

    watch.windows(Windows.of(List.of("daily 20:00-24:00"), ZoneOffset.UTC));
    assertTrue(steering.reason().startsWith("outside act.windows"), steering.reason());

    watch.windows(Windows.always());
    assertTrue(steering.mayBegin());
  }

  @Test
  void sparesNodesThatAreSlowOrHaveEnoughToDo() {
    Surroundings seen =
        new Surroundings(
            false,
            false,
            List.of(),
            new Surroundings.LowRedundancy(0, 0),
            List.of(),
            Map.of("a", 99, "b", 100),
            Set.of("c"),
            Map.of(),
            1,
            Map.of());
    assertEquals(Set.of("b", "c"), seen.busy(BOUNDS));
  }

  @Test
  void hasFewerCopiesWhereCallsWaitAtTheNameNode() throws InterruptedException {
    watch(
            () ->
                new Surroundings(
                    false,
                    false,
                    List.of(),
                    new Surroundings.LowRedundancy(0, 0),
                    List.of(),
                    Map.of(),
                    Set.of(),
                    Map.of(),
                    20.1,
                    Map.of()),
            Windows.always())
        .look();
    assertEquals(List.of("[] true"), gaveWay);
    assertTrue(steering.mayBegin());
  }

  @Test
  void hasFewerCopiesAndThenNoneWhereReadersWait() throws InterruptedException {
    ClusterWatch watch = watch(() -> now, Windows.always());
    now = reads(100, 10);
    watch.look();
    throttle = new Throttle(2, 16, 0, 0, 2, 2, 5, "");
    now = reads(200, 30);
    watch.look();
    assertTrue(steering.mayBegin());
    throttle = new Throttle(1, 16, 0, 0, 1, 1, 9, "");
    now = reads(300, 30);
    watch.look();

    assertEquals(List.of(Integer.MAX_VALUE, 1, 1), atMost, "one, for what is to be given up");
    assertEquals(List.of("[] false", "[n1] false", "[n1] false"), gaveWay);
    assertEquals(Set.of("readers"), steering.heldBy());
    assertEquals(
        "reads take 3.0 times as long as without copies (act.yield.foreground: 2.0): none for a while",
        steering.reason());
  }

  private static Surroundings reads(long count, double millis) {
    return new Surroundings(
        false,
        false,
        List.of(),
        new Surroundings.LowRedundancy(0, 0),
        List.of(),
        Map.of(),
        Set.of(),
        Map.of(),
        Double.NaN,
        Map.of("n1", new ReadTimes.Reads(count, millis)));
  }

  private String reason(Surroundings seen) throws InterruptedException {
    now = seen;
    watch(() -> now, Windows.always()).look();
    assertEquals(steering.reason().isEmpty(), steering.mayBegin());
    return steering.reason();
  }

  private ClusterWatch watch(ClusterWatch.Reader reader, Windows windows) {
    BackEnd backEnd =
        new BackEnd() {
          @Override
          public void execute(Plan plan, MoveListener listener) {
            throw new AssertionError("a watch begins nothing");
          }

          @Override
          public void giveWay(Set<String> busy, boolean isCongested) {
            gaveWay.add(busy + " " + isCongested);
          }

          @Override
          public void atMost(int copies, String why) {
            atMost.add(copies);
          }

          @Override
          public Throttle throttle() {
            return throttle;
          }
        };
    return new ClusterWatch(reader, windows, BOUNDS, steering, backEnd, sunday);
  }

  private static Surroundings seen(
      boolean isInSafeMode,
      boolean isUpgrading,
      List<String> leaving,
      long lowRedundancy,
      List<String> movers) {
    return new Surroundings(
        isInSafeMode,
        isUpgrading,
        leaving,
        new Surroundings.LowRedundancy(lowRedundancy, 0),
        movers,
        Map.of(),
        Set.of(),
        Map.of(),
        Double.NaN,
        Map.of());
  }
}
