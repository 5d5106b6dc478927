// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.app.simulated.ServicePolicies;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.Pace;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.Simulation;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import io.thermocline.tiering.sim.cluster.ClusterSpec;
import io.thermocline.tiering.sim.cluster.TierSpec;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a virtual clock, which only plans and waiting move. */
class PlanLoopTest {

  private static final int PLANS = 10;
  private static final Path CHEW = Path.of("..", "conf", "chew.yaml").toAbsolutePath().normalize();
  private static final Duration NONE = Duration.ZERO;

  @TempDir private Path directory;

  private ServiceConfig config(String more) throws IOException, ConfigException {
    return ServiceConfigFile.read(
        Files.writeString(
            directory.resolve("thermocline.yaml"),
            "observe: {auditLogs: [/none]}\nmanage: {paths: [/data]}\njournal: {directory: /none}\n"
                + more));
  }

  /** Plans until there were so many, and notes when each began. */
  private static class Work implements PlanLoop.Work {
    final List<Long> beganSeconds = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();
    long nanos = Duration.ofDays(-1).toNanos();
    private final long start = nanos;
    private final int plans;

    Work(int plans) {
      this.plans = plans;
    }

    long seconds() {
      return Duration.ofNanos(nanos - start).toSeconds();
    }

    void pass(Duration time) {
      nanos += time.toNanos();
    }

    /** Of plan number 1, 2, and so on. */
    Duration planning(int plan) throws IOException {
      return NONE;
    }

    Duration moving(int plan) {
      return NONE;
    }

    @Override
    public boolean isDraining() {
      return beganSeconds.size() == plans;
    }

    @Override
    public boolean awaitOrder(long wait) throws IOException {
      nanos += Math.max(0, wait);
      return false;
    }

    @Override
    public boolean hasHeard() {
      return true;
    }

    @Override
    public Duration plan() throws IOException {
      beganSeconds.add(seconds());
      int plan = beganSeconds.size();
      Duration planning = planning(plan);
      pass(planning);
      pass(moving(plan));
      return planning;
    }

    @Override
    public void failed(Throwable why) {
      failures.add(why);
    }
  }

  private static List<Long> run(ServiceConfig config, Work work) throws InterruptedException {
    new PlanLoop(config.interval(), () -> work.nanos, work).run();
    return work.beganSeconds;
  }

  private static List<Long> seconds(String instants) {
    return Stream.of(instants.split(" ")).map(Long::valueOf).collect(Collectors.toList());
  }

  /** The simulator asks the same class, by the same configuration. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "; 0 15 45 105 165 225 285 345 405 465",
        "decide: {every: 10s}; 0 10 20 30 40 50 60 70 80 90",
        "decide: {every: 40s}; 0 15 45 85 125 165 205 245 285 325",
        "decide: {every: 10m}; 0 15 45 105 225 465 945 1545 2145 2745",
        "act: {mode: apply, approval: one}; 0 15 45 105 225 465 765 1065 1365 1665",
        "decide: {strategy: chew, chew: CHEW}; 0 15 45 105 225 465 765 1065 1365 1665",
      })
  void serviceAndSimulatorPlanAtTheSameTimes(String more, String instants) throws Exception {
    ServiceConfig config = config(more == null ? "" : more.replace("CHEW", CHEW.toString()));

    assertEquals(seconds(instants), run(config, new Work(PLANS)));
    assertEquals(seconds(instants), simulated(config, seconds(instants).get(PLANS - 1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "6; 0 60 120 180 240",
        "30; 0 300 600 900 1200",
        "1200; 0 3600 7200 10800 14400",
        "4000; 0 4000 8000 12000 16000"
      })
  void planningTakesATenthOfTheTimeAtMostBelowAnHour(int planning, String instants)
      throws Exception {
    Work work =
        new Work(5) {
          @Override
          Duration planning(int plan) {
            return Duration.ofSeconds(planning);
          }
        };

    assertEquals(seconds(instants), run(config(""), work));
  }

  @Test
  void aPlanWaitsForTheMovesOfTheOneBeforeAndNoLonger() throws Exception {
    Work work =
        new Work(7) {
          @Override
          Duration moving(int plan) {
            return plan == 5 ? Duration.ofSeconds(100) : NONE;
          }
        };

    assertEquals(seconds("0 15 45 105 165 265 325"), run(config(""), work));
  }

  @Test
  void aFailedPlanIsTriedAgainAsSoonAsTheLastPauseWas() throws Exception {
    IOException failure = new IOException("no NameNode");
    Work work =
        new Work(7) {
          @Override
          Duration planning(int plan) throws IOException {
            if (plan == 2 || plan == 3) {
              throw failure;
            }
            return NONE;
          }
        };

    assertEquals(seconds("0 15 45 75 105 165 225"), run(config(""), work));
    assertEquals(List.of(failure, failure), work.failures);
  }

  @Test
  void theFirstPlanWaitsForTheLogs() throws Exception {
    Work work =
        new Work(2) {
          @Override
          public boolean hasHeard() {
            return seconds() >= 42;
          }
        };

    assertEquals(seconds("42 57"), run(config(""), work));
  }

  @Test
  void theFirstPlanWaitsForTheLogsForFiveMinutesAtMost() throws Exception {
    Work work =
        new Work(2) {
          @Override
          public boolean hasHeard() {
            return false;
          }
        };

    assertEquals(seconds("300 315"), run(config(""), work));
  }

  /** An order each four seconds, every other one of which only wakes the loop. */
  @Test
  void ordersDontMovePlans() throws Exception {
    Work work =
        new Work(5) {
          private int asked;

          @Override
          public boolean awaitOrder(long wait) {
            pass(Duration.ofNanos(Math.max(0, Math.min(wait, Duration.ofSeconds(4).toNanos()))));
            return wait > Duration.ofSeconds(4).toNanos() && asked++ % 2 == 0;
          }
        };

    assertEquals(seconds("0 15 45 105 165"), run(config(""), work));
  }

  private static List<Long> simulated(ServiceConfig config, long endSecond) {
    Trace trace =
        new Trace(
            "test",
            List.of(new TracedFile("/data/f", 1)),
            List.of(
                new FileAccess(0, 0, 1, false),
                new FileAccess((endSecond + 1) * 1_000_000, 0, 1, false)));
    ClusterSpec cluster =
        new ClusterSpec(
            2,
            2,
            new ClusterSpec.Network(1e9, 0, 0),
            64 << 20,
            List.of(tier("DISK", 3), tier("SSD", 1)),
            0);
    List<SimTier> tiers = cluster.simTiers();
    PolicyFactory.Setting setting =
        new PolicyFactory.Setting(trace, tiers, 0, MoveMode.LIVE, 1, cluster);
    Noting noting = new Noting(ServicePolicies.ours(config).make().apply(setting));
    new Simulation(trace, tiers, Simulation.Settings.of(MoveMode.LIVE), () -> 0).run(noting);
    // One more at the end of the log.
    return noting.decidedSeconds.subList(0, noting.decidedSeconds.size() - 1);
  }

  private static TierSpec tier(String name, int copies) {
    return new TierSpec(name, 1, 1L << 40, copies, new DeviceSpec(1e9, 1e9, 0, 0, 0, 0), false);
  }

  /** A policy of which it is known when it decided. */
  private static final class Noting implements TieringPolicy {
    private final List<Long> decidedSeconds = new ArrayList<>();
    private final TieringPolicy policy;

    private Noting(TieringPolicy policy) {
      this.policy = policy;
    }

    @Override
    public Pace pace() {
      return policy.pace();
    }

    @Override
    public void onAccess(FileAccess access, TierState tiers) {
      policy.onAccess(access, tiers);
    }

    @Override
    public void react(FileAccess access, TierState tiers, Moves moves) {
      policy.react(access, tiers, moves);
    }

    @Override
    public void rebalance(TierState tiers, Moves moves) {
      decidedSeconds.add(tiers.nowMicros() / 1_000_000);
      policy.rebalance(tiers, moves);
    }
  }
}
