// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Test;

/**
 * Random calls on random clusters, ours against the rules and against the stock policy. How many:
 * {@code -Dplacement.scenarios}; from which seed: {@code -Dplacement.seed}.
 */
class PlacementScenariosTest {
  private static final int CALLS_PER_CLUSTER = 100;
  private static final long SEED =
      Long.getLong("placement.seed", Long.getLong("test.seed", 20261121));

  @Test
  void oursKeepsThePromisesAndIsNeverWorseThanTheStockPolicy() {
    int most = Boolean.getBoolean("test.short") ? 10_000 : 40_000;
    int clusters = Integer.getInteger("placement.scenarios", most) / CALLS_PER_CLUSTER;
    long answered = 0;
    long failed = 0;
    PlacementInvariants.Lead lead = new PlacementInvariants.Lead();
    for (int i = 0; i < clusters; i++) {
      PlacementCounters counters = run(SEED + i, new ArrayList<>(), lead);
      answered += counters.get(Event.ANSWERED);
      failed += counters.get(Event.PLACEMENT_FAILED);
    }
    System.out.println(
        "seed "
            + SEED
            + ": "
            + answered
            + " answered from the snapshot, "
            + failed
            + " failed, ahead in "
            + lead);
    assertEquals(0, failed);
    lead.check();
    // The others have too few nodes for any policy, or go the stock way by design.
    assertTrue(answered > clusters * CALLS_PER_CLUSTER * 0.4, "only " + answered);
  }

  @Test
  void ownSetIsKeptWhereTooFewNodesFitAndTheStockPolicyFindsFewer() {
    // On this cluster the stock policy's draws miss nodes that fit.
    PlacementCounters counters = run(20261128, new ArrayList<>(), new PlacementInvariants.Lead());
    assertTrue(counters.get(Event.PARTIAL) > 0, counters::toString);
    assertTrue(counters.get(Event.PARTIAL) <= counters.get(Event.NOT_ENOUGH));
  }

  @Test
  void oneSeedGivesOneTrace() {
    List<String> one = new ArrayList<>();
    List<String> two = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      run(SEED + i, one, new PlacementInvariants.Lead());
      run(SEED + i, two, new PlacementInvariants.Lead());
    }
    assertTrue(one.size() > 100, "only " + one.size());
    assertEquals(one, two);
  }

  /** Adds what was answered from the snapshot to the trace: the stock policy isn't seeded. */
  private static PlacementCounters run(
      long seed, List<String> trace, PlacementInvariants.Lead lead) {
    try (RandomCluster world = new RandomCluster(seed)) {
      long[] nonce = {seed};
      CountDownLatch begun = new CountDownLatch(2);
      PolicyHost host =
          new PolicyHost(
              System::nanoTime,
              () -> nonce[0]++ * 0x9E3779B97F4A7C15L,
              millis -> {
                begun.countDown();
                throw new InterruptedException("refreshed by hand");
              });
      ThermoclinePlacementPolicy ours = new ThermoclinePlacementPolicy(host);
      ours.initialize(world.cluster().conf(), world.stats(), world.cluster().topology(), null);
      // A refresh that came later would see what the calls change.
      FakeCluster.await(() -> begun.getCount() == 0, "the first refresh and look at its time");
      ours.refresh();
      Stock stock = new Stock(world);
      for (int i = 0; i < CALLS_PER_CLUSTER; i++) {
        if (i == CALLS_PER_CLUSTER / 2) {
          // Things go wrong that the snapshot doesn't show.
          world.afflict(0.05);
        }
        if (i == CALLS_PER_CLUSTER * 3 / 4) {
          world.stats().measure();
          ours.refresh();
        }
        PlacementScenario call = world.scenario();
        try {
          nonce[0] = seed + 1000L * i;
          long before = host.counters().get(Event.ANSWERED);
          PlacementScenario.Outcome outcome = call.ask(ours);
          if (call.favoured().isEmpty() && host.counters().get(Event.ANSWERED) > before) {
            trace.add(ids(outcome.targets()));
          }
          PlacementInvariants invariants = new PlacementInvariants(world);
          invariants.check(call, outcome);
          invariants.checkAgainst(stock, ours, call, outcome, lead);
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError(
              "-Dplacement.seed="
                  + seed
                  + " -Dplacement.scenarios=100, call "
                  + i
                  + ": "
                  + e.getMessage()
                  + "\n"
                  + call
                  + world
                  + "\n"
                  + host.counters(),
              e);
        }
      }
      return host.counters();
    }
  }

  private static String ids(List<DatanodeStorageInfo> targets) {
    return targets.stream().map(DatanodeStorageInfo::getStorageID).toList().toString();
  }

  /** The stock policy on the same cluster. */
  private static final class Stock extends BlockPlacementPolicyDefault {
    Stock(RandomCluster world) {
      initialize(world.cluster().conf(), world.stats(), world.cluster().topology(), null);
    }
  }
}
