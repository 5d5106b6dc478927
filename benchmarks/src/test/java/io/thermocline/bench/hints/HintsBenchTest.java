// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.bench.EvidencePage;
import io.thermocline.tiering.hints.StaticHints;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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
    Reading reading = Reading.of(Reading.Load.COUNTED_IN_TURNS, Reading.Created.AS_LISTED);
    Map<String, Double> report = comparedWithThePage(reading);
    String end = "_tiers_counted_turns_as_listed_level";
    assertTrue(report.get("change_two" + end + "1_pct") <= -48.6, report.toString());
    assertTrue(report.get("change_two" + end + "2_vs_level1_pct") <= -12.4, report.toString());
    assertTrue(report.get("change_three" + end + "1_pct") <= -42.1, report.toString());
    assertTrue(report.get("change_three" + end + "2_vs_level1_pct") <= -40.4, report.toString());
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
  void findsWhatThePageSaysOfTheFirstReading() throws IOException {
    comparedWithThePage(Reading.ALL.get(0));
  }

  @Tag("on-demand")
  @ParameterizedTest
  @MethodSource("readings")
  void findsWhatThePageSaysOfEachReading(Reading reading) throws IOException {
    comparedWithThePage(reading);
  }

  static List<Reading> readings() {
    return Reading.ALL;
  }

  /** Every figure of a reading's row: all of them are the same on every machine. */
  private static Map<String, Double> comparedWithThePage(Reading reading) throws IOException {
    Map<String, Double> report = new HashMap<>();
    List<StaticExperiment> populations =
        LongStream.range(1, 5).mapToObj(seed -> new StaticExperiment(seed, reading)).toList();
    new Classification(reading, populations).measure(report::put);
    String end = "_tiers" + reading.suffix();
    List<String> found = new ArrayList<>();
    for (String change : List.of("two%s_level1", "two%s_level2_vs_level1")) {
      found.add("%.1f".formatted(report.get("change_" + change.formatted(end) + "_pct")));
    }
    for (String change : List.of("three%s_level1", "three%s_level2_vs_level1")) {
      found.add("%.1f".formatted(report.get("change_" + change.formatted(end) + "_pct")));
    }
    found.add(
        reading.load().isCounted()
            ? "%.0f: %.0f; %.0f, %.0f; %.0f, %.0f"
                .formatted(
                    report.get("rounds_two" + end),
                    report.get("elapsed_two" + end + "_no_hints_s"),
                    report.get("elapsed_two" + end + "_level1_s"),
                    report.get("elapsed_two" + end + "_level2_s"),
                    report.get("elapsed_three" + end + "_level1_s"),
                    report.get("elapsed_three" + end + "_level2_s"))
            : "");
    assertEquals(EvidencePage.of("hints.md").row(title(reading)), found, title(reading));
    return report;
  }

  /** As the page names it. */
  private static String title(Reading reading) {
    List<String> words = new ArrayList<>();
    words.add(reading.load().isCounted() ? "counted" : "500 seconds");
    if (reading.load().name().endsWith("IN_TURNS")) {
      words.add("in turns");
    }
    words.add(reading.created() == Reading.Created.MIXED ? "mixed" : "as listed");
    Map<Integer, String> times = Map.of(50, "half", 200, "twice");
    if (times.containsKey(reading.metadataPercent())) {
      words.add(times.get(reading.metadataPercent()) + " the metadata");
    }
    if (times.containsKey(reading.roundsPercent())) {
      words.add(times.get(reading.roundsPercent()) + " the rounds");
    }
    if (!reading.devices().equals(List.of(Volume.DEVICES))) {
      words.add("devices of table 1.1");
    }
    return String.join(", ", words);
  }

  /** The tables of prefetching, and of what is read from the remote disk. */
  @Test
  void findsWhatThePageSaysOfPrefetching() throws Exception {
    JsonNode report = report("PREFETCHING");
    EvidencePage page = EvidencePage.of("hints.md");
    for (int megabits : new int[] {1000, 200}) {
      String link = megabits == 1000 ? "1 Gbit/s" : "200 Mbit/s";
      String name = "prefetch_" + megabits + "_mbit";
      List<String> level2 = page.row(link + ", level 2");
      assertEquals(percent(report.get(name + "_level2_change_pct")), level2.get(1));
      boolean hintsFirst = megabits == 1000;
      compare(
          report,
          name,
          "",
          page.row(
              link
                  + (hintsFirst
                      ? ", prefetch, first file hinted"
                      : ", prefetch, both files hinted")));
      if (hintsFirst) {
        compare(report, name, "_both_files", page.row(link + ", prefetch, both files hinted"));
      }
      assertEquals(
          List.of("no_hints", "level2").stream()
              .map(
                  hints ->
                      "%,d MiB".formatted(report.get(name + "_" + hints + "_remote_mib").asLong()))
              .toList(),
          page.row(link).subList(0, 2));
    }
  }

  private static void compare(JsonNode report, String name, String files, List<String> cells) {
    assertEquals(percent(report.get(name + files + "_change_pct")), cells.get(1));
    assertEquals(percent(report.get(name + "_with_cp" + files + "_change_pct")), cells.get(2));
  }

  private static String percent(JsonNode value) {
    return "%.1f %%".formatted(value.asDouble());
  }

  @Tag("on-demand")
  @Test
  void findsWhatThePageSaysOfStreamsAndMigration() throws Exception {
    EvidencePage page = EvidencePage.of("hints.md");
    JsonNode streams = report("STREAMS");
    assertEquals(
        "%.1f times".formatted(streams.get("stream_throughput_times").asDouble()),
        page.row("throughput, bytes").get(1));
    assertEquals(
        "%.0f %%, %.1f GB to none"
            .formatted(
                streams.get("stream_migrated_change_pct").asDouble(),
                streams.get("stream_without_migrated_gb").asDouble()),
        page.row("migrated bytes").get(1));
    JsonNode migration = report("MIGRATION");
    Map<String, String> rows = Map.of("no hints", "off", "level 1", "level1", "level 2", "level2");
    rows.forEach(
        (title, level) -> {
          List<String> cells = page.row(title);
          int[] times = {0, 2, 6, 12};
          for (int i = 0; i < times.length; i++) {
            String name = "migration_" + times[i] + "_times_" + level;
            double gigabytes = migration.get(name + "_gb").asDouble();
            String moved = gigabytes == 0 ? "0" : "%.2f GB".formatted(gigabytes);
            assertEquals(
                "%.0f ms%s"
                    .formatted(migration.get(name + "_ms").asDouble(), i == 0 ? "" : ", " + moved),
                cells.get(i),
                name);
          }
        });
  }

  private static JsonNode report(String part) throws IOException {
    StringWriter out = new StringWriter();
    CommandLine command = new CommandLine(new HintsCommand()).setOut(new PrintWriter(out));
    assertEquals(0, command.execute("--only", part));
    String[] lines = out.toString().split("\n");
    return new ObjectMapper().readTree(lines[lines.length - 1]);
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
