// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.sim.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SimulationTest {

  /** Follows a script: at the first decision, these moves. */
  private static final class Scripted implements TieringPolicy {
    private final List<int[]> moves;
    private final List<String> seen = new ArrayList<>();

    Scripted(int[]... moves) {
      this.moves = new ArrayList<>(List.of(moves));
    }

    @Override
    public void onAccess(FileAccess access, TierState tiers) {
      seen.add(access.atMicros() / 1_000_000 + ":" + tiers.tierOf(access.file()));
    }

    @Override
    public void react(FileAccess access, TierState tiers, Moves asked) {
      rebalance(tiers, asked);
    }

    @Override
    public void rebalance(TierState tiers, Moves asked) {
      moves.forEach(move -> asked.move(move[0], move[1]));
      moves.clear();
    }
  }

  private static RunResult live(Trace trace, List<SimTier> tiers, TieringPolicy policy) {
    return new Simulation(trace, tiers, Simulation.Settings.of(MoveMode.LIVE), () -> 0).run(policy);
  }

  @Test
  void aMoveTakesItsTimeAndServesWhenItIsComplete() {
    Scripted policy = new Scripted(new int[] {0, 1});

    RunResult result = live(Traces.of("a:10 a@30 a@39 a@40"), Traces.tiers(10, 1), policy);

    assertEquals(List.of("0:0", "30:0", "39:0", "40:1"), policy.seen);
    assertEquals(10, result.bytesUp());
    assertEquals(10, result.flashBytes());
  }

  @Test
  void movesWaitForThoseBeforeThem() {
    Scripted policy = new Scripted(new int[] {0, 1}, new int[] {1, 1});

    live(Traces.of("a:10 b:5 a@39 b@44 a@45 b@46"), Traces.tiers(15, 1), policy);

    assertEquals(List.of("0:0", "1:0", "39:0", "44:0", "45:1", "46:1"), policy.seen);
  }

  @Test
  void whatHasNoRoomWhenItsTurnComesIsRefused() {
    Scripted policy = new Scripted(new int[] {0, 1}, new int[] {1, 1});

    RunResult result = live(Traces.of("a:10 b:5 b@100"), Traces.tiers(12, 1), policy);

    assertEquals(List.of(1L, 1L), List.of(result.moves(), result.refused()));
  }

  @Test
  void whatHasNotBegunIsForgottenAtTheNextDecision() {
    // a takes until 70; b, asked for at 30 too, isn't asked for again at 60.
    Scripted policy = new Scripted(new int[] {0, 1}, new int[] {1, 1});

    RunResult result = live(Traces.of("a:40 b:5 b@200"), Traces.tiers(100, 1), policy);

    assertEquals(List.of(1L, 40L), List.of(result.moves(), result.bytesUp()));
  }

  @Test
  void theSlowerTierSetsThePaceAndSharesIt() {
    Scripted policy = new Scripted(new int[] {0, 1});
    List<SimTier> tiers =
        List.of(new SimTier("DISK", 100, 2, 2, false), new SimTier("SSD", 100, 8, 8, true));

    new Simulation(
            Traces.of("a:10 a@39 a@40"),
            tiers,
            new Simulation.Settings(0, MoveMode.LIVE, 30_000_000, 0.5),
            () -> 0)
        .run(policy);

    assertEquals(List.of("0:0", "39:0", "40:1"), policy.seen);
  }

  @Test
  void disksWorkForReadsAndForCopies() {
    HeadTime head = new HeadTime(0.5, 10, 4);
    List<SimTier> tiers =
        List.of(
            new SimTier("DISK", 1_000, 2, 2, false, 1, head),
            new SimTier("SSD", 1_000, 8, 8, true, 0.75, head));
    Trace trace = Traces.of("a:10 b:20 a@40 a@700");

    RunResult result =
        new Simulation(trace, tiers, Simulation.Settings.of(MoveMode.LIVE), () -> 0)
            .run(new Scripted(new int[] {0, 1}));

    // Three blocks and ten bytes of a, five blocks and twenty bytes of b. From the copy on, disks
    // serve a quarter of a.
    double a = 3 * 0.5 + 1;
    double b = 5 * 0.5 + 2;
    double early = a + b + a + a / 4;
    assertEquals(early + a / 4, result.diskTime().all(), 1e-9);
    assertEquals(early, result.diskTime().peak(), 1e-9);
  }

  @Test
  void filesThatDoNotFitTheHomeTierAreAnError() {
    List<SimTier> tiers = List.of(new SimTier("DISK", 9, 1, 1, false));

    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> live(Traces.of("a:10"), tiers, new Scripted()))
            .getMessage();

    assertEquals(
        "the files have 10 bytes, and DISK, where they begin, has room for 9: give it more",
        message);
  }

  /** Looks at every moment at which it is asked, and also moves what was accessed at random. */
  private static final class Restless implements TieringPolicy {
    private final TieringPolicy policy;
    private final SplittableRandom random;
    private final List<Integer> accessed = new ArrayList<>();

    Restless(TieringPolicy policy, long seed) {
      this.policy = policy;
      random = new SplittableRandom(seed);
    }

    private static void check(TierState tiers) {
      for (int tier = 0; tier < tiers.tiers(); tier++) {
        assertTrue(tiers.used(tier) <= tiers.capacity(tier), "over-committed: tier " + tier);
        long there = 0;
        for (int file = 0; file < tiers.files(); file++) {
          there += tiers.tierOf(file) == tier ? tiers.bytes(file) : 0;
        }
        assertTrue(there <= tiers.used(tier), "more is there than is accounted for");
        if (tier != tiers.home()) {
          long listed = 0;
          for (int i = 0; i < tiers.filesOn(tier); i++) {
            assertEquals(tier, tiers.tierOf(tiers.fileOn(tier, i)));
            listed += tiers.bytes(tiers.fileOn(tier, i));
          }
          assertEquals(there, listed);
        }
      }
    }

    @Override
    public void onAccess(FileAccess access, TierState tiers) {
      check(tiers);
      accessed.add(access.file());
      policy.onAccess(access, tiers);
    }

    @Override
    public void react(FileAccess access, TierState tiers, Moves moves) {
      policy.react(access, tiers, checked(tiers, moves));
    }

    @Override
    public void rebalance(TierState tiers, Moves moves) {
      check(tiers);
      policy.rebalance(tiers, checked(tiers, moves));
      for (int i = 0; i < 5 && !accessed.isEmpty(); i++) {
        int file = accessed.get(random.nextInt(accessed.size()));
        moves.move(file, random.nextInt(tiers.tiers()));
      }
    }

    private static Moves checked(TierState tiers, Moves moves) {
      return (file, tier) -> {
        boolean isDone = moves.move(file, tier);
        check(tiers);
        return isDone;
      };
    }
  }

  @Test
  void noTierIsOverCommittedAtAnyInstant() {
    for (long seed = 1; seed <= 6; seed++) {
      Trace trace = Traces.random(seed, 40, 250, 20);
      // Slow enough that moves overlap decisions.
      List<SimTier> tiers = new ArrayList<>(Traces.tiers(60, 2));
      tiers.add(new SimTier("NVDIMM", 25, 3, 3, false));
      for (MoveMode mode : MoveMode.values()) {
        for (PolicyFactory factory :
            Stream.concat(Stream.of(Policies.oracle()), Policies.compared().stream()).toList()) {
          TieringPolicy policy =
              factory.make().apply(new PolicyFactory.Setting(trace, tiers, 0, mode, seed));
          RunResult result =
              new Simulation(trace, tiers, Simulation.Settings.of(mode), () -> 0)
                  .run(new Restless(policy, seed));
          assertEquals(250, result.reads()[0] + result.reads()[1] + result.reads()[2]);
        }
      }
    }
  }

  @Test
  void theSameRunGivesTheSameResult() {
    Trace trace = Traces.random(7, 50, 500, 9);
    for (MoveMode mode : MoveMode.values()) {
      for (PolicyFactory policy : Policies.compared()) {
        RunResult first = Traces.run(policy, trace, Traces.tiers(40, 5), mode);
        RunResult second = Traces.run(policy, trace, Traces.tiers(40, 5), mode);
        assertEquals(figures(first), figures(second), policy.title());
      }
    }
    RunResult lru = Traces.run(Policies.oracle(), trace, Traces.tiers(40, 5), MoveMode.LIVE);
    assertFalse(lru.moves() == 0, "nothing moved: the runs above would agree on nothing");
  }

  private static List<Object> figures(RunResult result) {
    return List.of(
        result.reads()[1],
        result.readBytes()[1],
        result.moves(),
        result.refused(),
        result.bytesUp(),
        result.bytesDown(),
        result.decisions());
  }

  @Test
  void latenciesAreCountedToAPercent() {
    LatencyHistogram latencies = new LatencyHistogram();
    for (int i = 1; i <= 1000; i++) {
      latencies.add(i / 1000.0);
    }

    assertEquals(0.5005, latencies.mean(), 1e-9);
    assertEquals(0.99, latencies.quantile(0.99), 0.0101);
    assertEquals(0.001, latencies.quantile(0.001), 0.00002);
  }
}
