// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.bench.EvidencePage;
import io.thermocline.tiering.hints.StaticHints;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** That the experiments show what hints are for; the figures are in docs/evidence/hints.md. */
class HintsBenchTest {

  @Test
  void eachLevelOfClassificationMakesRequestsFaster() {
    StaticExperiment experiment = new StaticExperiment(7, Reading.ALL.get(0));
    for (StaticExperiment.Tiers tiers : StaticExperiment.Tiers.values()) {
      double none = timed(experiment, tiers, StaticHints.Level.OFF);
      double first = timed(experiment, tiers, StaticHints.Level.LEVEL1);
      double second = timed(experiment, tiers, StaticHints.Level.LEVEL2);
      assertTrue(first < 0.7 * none, tiers + ": " + first + " of " + none);
      assertTrue(second < 0.98 * first, tiers + ": " + second + " of " + first);
      assertEquals(
          none, timed(experiment, tiers, StaticHints.Level.OFF), "the same seed, the same");
    }
  }

  private static double timed(
      StaticExperiment experiment, StaticExperiment.Tiers tiers, StaticHints.Level level) {
    return experiment.run(tiers, level, Integer.MAX_VALUE, 500).millis();
  }

  /** The one reading of which docs/evidence/hints.md says that all four are reached. */
  @Test
  void countedInTurnsAndAsListedThePublishedEffectsAreReached() throws IOException {
    Map<String, Double> report = new HashMap<>();
    Reading reading = Reading.of(Reading.Load.COUNTED_IN_TURNS, Reading.Created.AS_LISTED);
    List<StaticExperiment> populations =
        LongStream.range(1, 5).mapToObj(seed -> new StaticExperiment(seed, reading)).toList();
    new Classification(reading, populations).measure(report::put);
    String end = "_tiers_counted_turns_as_listed_level";
    assertTrue(report.get("change_two" + end + "1_pct") <= -48.6, report.toString());
    assertTrue(report.get("change_two" + end + "2_vs_level1_pct") <= -12.4, report.toString());
    assertTrue(report.get("change_three" + end + "1_pct") <= -42.1, report.toString());
    assertTrue(report.get("change_three" + end + "2_vs_level1_pct") <= -40.4, report.toString());
    List<String> page = EvidencePage.of("hints.md").row("counted, in turns, as listed");
    List<String> fields =
        List.of(
            "two" + end + "1",
            "two" + end + "2_vs_level1",
            "three" + end + "1",
            "three" + end + "2_vs_level1");
    for (int i = 0; i < fields.size(); i++) {
      double change = report.get("change_" + fields.get(i) + "_pct");
      assertEquals(page.get(i), "%.1f".formatted(change), fields.get(i));
    }
    // As many rounds as the volume without hints ends in 500 seconds.
    double seconds = report.get("elapsed_three_tiers_counted_turns_as_listed_no_hints_s");
    assertTrue(seconds <= 500 && seconds > 450, report.toString());
    // What is fast can't be more: SSD and SCM are full at both levels.
    assertEquals(
        report.get("fast_bytes_three_tiers_counted_turns_as_listed_level1_pct"),
        report.get("fast_bytes_three_tiers_counted_turns_as_listed_level2_pct"),
        1.5);
  }

  @Test
  void noPopulationIsRefused() {
    StringWriter errors = new StringWriter();
    CommandLine command = new CommandLine(new HintsCommand()).setErr(new PrintWriter(errors));
    assertEquals(2, command.execute("--populations", "0"));
    assertTrue(
        errors.toString().contains("--populations 0: expected 1 or more"), errors.toString());
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
    double prefetch = seconds(PrefetchExperiment.Hints.PREFETCH_BEFORE);
    double withCp = seconds(PrefetchExperiment.Hints.PREFETCH_WITH_CP);
    assertTrue(second < none && prefetch < 0.5 * second, none + " " + second + " " + prefetch);
    assertTrue(withCp < second && withCp > prefetch, second + " " + withCp + " " + prefetch);
    // Never faster than the bytes that came over the link allow.
    assertTrue(prefetch > 1024.0 * (1 << 20) / (1e9 / 8));
    assertTrue(withCp > 2048.0 * (1 << 20) / (1e9 / 8));
    assertEquals(
        2048, PrefetchExperiment.run(PrefetchExperiment.Hints.LEVEL2, 200, 0, 0, 1).remoteMib());
  }

  private static double seconds(PrefetchExperiment.Hints hints) {
    return PrefetchExperiment.run(hints, 1000, 1024, 2, 1).seconds();
  }

  @Test
  void migrationHelpsWhereNothingIsKnown() {
    StaticExperiment experiment = new StaticExperiment(7, Reading.ALL.get(0));
    StaticExperiment.Migrated none = experiment.migrated(StaticHints.Level.OFF, 600, 1200);
    StaticExperiment.Migrated moved = experiment.migrated(StaticHints.Level.OFF, 600, 100);
    StaticExperiment.Migrated hinted = experiment.migrated(StaticHints.Level.LEVEL1, 600, 100);
    assertEquals(0, none.migrated());
    assertTrue(moved.millis() < none.millis(), none + " " + moved);
    assertTrue(hinted.millis() < moved.millis(), moved + " " + hinted);
    assertTrue(hinted.migrated() < moved.migrated(), moved + " " + hinted);
  }
}
