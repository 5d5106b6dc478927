// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.hints.StaticHints;
import org.junit.jupiter.api.Test;

/** That the experiments show what hints are for; the figures are in docs/evidence/hints.md. */
class HintsBenchTest {

  @Test
  void eachLevelOfClassificationMakesRequestsFaster() {
    StaticExperiment experiment =
        new StaticExperiment(
            7, StaticExperiment.Load.TIMED, 100, StaticExperiment.Created.MIXED, Volume.DEVICES);
    for (StaticExperiment.Tiers tiers : StaticExperiment.Tiers.values()) {
      double none = experiment.latencyMillis(tiers, StaticHints.Level.OFF);
      double first = experiment.latencyMillis(tiers, StaticHints.Level.LEVEL1);
      double second = experiment.latencyMillis(tiers, StaticHints.Level.LEVEL2);
      assertTrue(first < 0.7 * none, tiers + ": " + first + " of " + none);
      assertTrue(second < 0.98 * first, tiers + ": " + second + " of " + first);
      assertEquals(
          none, experiment.latencyMillis(tiers, StaticHints.Level.OFF), "the same seed, the same");
    }
  }

  @Test
  void theSameOperationsInTurnsShowThePublishedEffects() {
    StaticExperiment experiment =
        new StaticExperiment(
            1,
            StaticExperiment.Load.COUNTED_IN_TURNS,
            100,
            StaticExperiment.Created.AS_LISTED,
            Volume.DEVICES);
    for (StaticExperiment.Tiers tiers : StaticExperiment.Tiers.values()) {
      boolean isTwo = tiers == StaticExperiment.Tiers.TWO;
      double none = experiment.latencyMillis(tiers, StaticHints.Level.OFF);
      double first = experiment.latencyMillis(tiers, StaticHints.Level.LEVEL1);
      double second = experiment.latencyMillis(tiers, StaticHints.Level.LEVEL2);
      assertTrue(first <= (isTwo ? 1 - 0.486 : 1 - 0.421) * none, tiers + ": " + first / none);
      assertTrue(second <= (isTwo ? 1 - 0.124 : 1 - 0.404) * first, tiers + ": " + second / first);
    }
    // What is fast can't be more: SSD and SCM are full at both levels.
    assertEquals(
        experiment.fastPercent(StaticExperiment.Tiers.THREE, StaticHints.Level.LEVEL1),
        experiment.fastPercent(StaticExperiment.Tiers.THREE, StaticHints.Level.LEVEL2),
        1.5);
  }

  @Test
  void streamsSaveMigrations() {
    StreamExperiment.Result without = StreamExperiment.run(false, 60, 10, 1);
    StreamExperiment.Result with = StreamExperiment.run(true, 60, 10, 1);
    assertTrue(with.megabytesPerSecond() > 3.2 * without.megabytesPerSecond());
    assertTrue(with.migrated() < 0.1 * without.migrated(), without + " " + with);
  }

  @Test
  void prefetchingHidesTheNetwork() {
    double none = seconds(PrefetchExperiment.Hints.NONE);
    double second = seconds(PrefetchExperiment.Hints.LEVEL2);
    double prefetch = seconds(PrefetchExperiment.Hints.PREFETCH);
    assertTrue(second < none && prefetch < 0.5 * second, none + " " + second + " " + prefetch);
    // Never faster than the bytes that came over the link allow.
    assertTrue(prefetch > 1024.0 * (1 << 20) / (1e9 / 8));
    assertEquals(
        2048, PrefetchExperiment.run(PrefetchExperiment.Hints.LEVEL2, 200, 0, 1).remoteMib());
  }

  private static double seconds(PrefetchExperiment.Hints hints) {
    return PrefetchExperiment.run(hints, 1000, 1024, 1).seconds();
  }

  @Test
  void migrationHelpsWhereNothingIsKnown() {
    StaticExperiment experiment =
        new StaticExperiment(
            7, StaticExperiment.Load.TIMED, 100, StaticExperiment.Created.MIXED, Volume.DEVICES);
    StaticExperiment.Migrated none = experiment.migrated(StaticHints.Level.OFF, 600, 1200);
    StaticExperiment.Migrated moved = experiment.migrated(StaticHints.Level.OFF, 600, 100);
    StaticExperiment.Migrated hinted = experiment.migrated(StaticHints.Level.LEVEL1, 600, 100);
    assertEquals(0, none.migrated());
    assertTrue(moved.millis() < none.millis(), none + " " + moved);
    assertTrue(hinted.millis() < moved.millis(), moved + " " + hinted);
    assertTrue(hinted.migrated() < moved.migrated(), moved + " " + hinted);
  }
}
