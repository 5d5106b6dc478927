// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
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
  private final ExecutionControl control = ExecutionControl.running(sunday);
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
        "6 blocks have too few replicas (act.throttle.lowRedundancy: 5): moves wait for HDFS to make"
            + " more since 2026-11-22T12:00:00Z, until 2026-11-22T12:10:00Z if the number doesn't"
            + " fall",
        reason(seen(false, false, List.of(), 6, List.of())));
    assertEquals(
        "the NameNode is in safe mode; Hadoop's Balancer runs",
        reason(seen(true, false, List.of(), 0, List.of("Hadoop's Balancer runs"))));
    assertEquals("", reason(QUIET));
    assertTrue(control.mayBegin());
  }

  /** Nobody can make so many replicas, so that nobody waits for them for ever; and status says so. */
  @Test
  void waitsForWhatHdfsMendsAlone() throws InterruptedException {
    ClusterWatch watch = watch(() -> now, Windows.always());
    now = low(51, 0);
    watch.look();
    assertEquals(Set.of("replication"), control.heldBy(), "of metrics: not another mover");
    time = time.plus(Duration.ofMinutes(5));
    now = low(50, 0);
    watch.look();
    assertEquals(
        "50 blocks have too few replicas (act.throttle.lowRedundancy: 5): moves wait for HDFS to make"
            + " more since 2026-11-22T12:00:00Z, until 2026-11-22T12:15:00Z if the number doesn't"
            + " fall",
        control.obstacle());
    time = time.plus(Duration.ofMinutes(10));
    watch.look();

    assertTrue(control.mayBegin());
    assertEquals(
        "moves go on although 50 blocks have too few replicas: their number has not gone down for"
            + " 600 s (act.throttle.lowRedundancy: 5)",
        control.obstacle());
    assertEquals(Set.of("redundancy"), control.heldBy(), "of metrics, where it stands beside");

    now = low(51, 6);
    watch.look();
    assertEquals(
        "6 blocks have one live replica at most (act.throttle.lowRedundancy: 5): moves wait for HDFS to"
            + " make more since 2026-11-22T12:15:00Z, until 2026-11-22T12:25:00Z if the number"
            + " doesn't fall",
        control.reason());
    now = low(50, 5);
    watch.look();
    assertTrue(control.mayBegin());
    now = QUIET;
    watch.look();
    assertEquals("", control.obstacle());
    assertEquals(Set.of(), control.heldBy());
  }

  /** A recovery of hours looks every ten seconds, each time at another number. */
  @Test
  void logsTheWaitOnce() throws InterruptedException {
    StringWriter log = new StringWriter();
    WriterAppender appender = new WriterAppender(new PatternLayout("%m%n"), log);
    Logger logger = Logger.getLogger(ClusterWatch.class);
    Level before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
    try {
      ClusterWatch watch = watch(() -> now, Windows.always());
      for (long blocks = 60; blocks > 5; blocks -= 5) {
        now = low(blocks, 0);
        watch.look();
        time = time.plusSeconds(10);
      }
      now = QUIET;
      watch.look();
    } finally {
      logger.removeAppender(appender);
      logger.setLevel(before);
    }
    List<String> lines = log.toString().lines().toList();
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("held: 60 blocks have too few replicas"), lines.get(0));
    assertEquals("nothing in the cluster hinders moves", lines.get(1));
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

    assertFalse(control.mayBegin());
    assertTrue(control.reason().endsWith("connection refused"), control.reason());
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
    assertEquals("the mover doesn't answer", control.reason());
    assertEquals(Set.of("mover"), control.heldBy());
    isBack[0] = true;
    watch.look();
    assertTrue(control.mayBegin());
  }

  @Test
  void holdsOutsideTheCalendarBesideAllElse() throws InterruptedException {
    Windows nights = Windows.of(List.of("daily 20:00-24:00"), ZoneOffset.UTC);
    watch(() -> seen(true, false, List.of(), 0, List.of()), nights).look();

    assertTrue(control.reason().startsWith("outside act.windows"), control.reason());
    assertTrue(control.reason().endsWith("safe mode"), control.reason());
  }

  @Test
  void otherTimesHoldAtOnce() throws InterruptedException {
    ClusterWatch watch = watch(() -> QUIET, Windows.always());
    watch.look();

    watch.windows(Windows.of(List.of("daily 20:00-24:00"), ZoneOffset.UTC));
    assertTrue(control.reason().startsWith("outside act.windows"), control.reason());

    watch.windows(Windows.always());
    assertTrue(control.mayBegin());
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
    assertTrue(control.mayBegin());
  }

  @Test
  void hasFewerCopiesAndThenNoneWhereReadersWait() throws InterruptedException {
    ClusterWatch watch = watch(() -> now, Windows.always());
    now = reads(100, 10);
    watch.look();
    throttle = new Throttle(2, 16, 0, 0, 2, 2, 5, "");
    now = reads(200, 30);
    watch.look();
    assertTrue(control.mayBegin());
    throttle = new Throttle(1, 16, 0, 0, 1, 1, 9, "");
    now = reads(300, 30);
    watch.look();

    assertEquals(List.of(Integer.MAX_VALUE, 1, 1), atMost, "one, for what is to be given up");
    assertEquals(List.of("[] false", "[n1] false", "[n1] false"), gaveWay);
    assertEquals(Set.of("readers"), control.heldBy());
    assertEquals(
        "reads take 3.0 times as long as without copies (act.throttle.foreground: 2.0): none for a while",
        control.reason());
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
    assertEquals(control.reason().isEmpty(), control.mayBegin());
    return control.reason();
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
    return new ClusterWatch(reader, windows, BOUNDS, control, backEnd, sunday);
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
