// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.tiering.hints.StaticHints;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjDoubleConsumer;

/** Figures 2.3 and 2.4 by one reading: means of some populations. */
final class Classification {

  private static final double SECONDS = 500;

  private final Reading reading;
  private final List<StaticExperiment> experiments;

  /**
   * @param populations of files created in the order of the reading
   */
  Classification(Reading reading, List<StaticExperiment> populations) {
    this.reading = reading;
    this.experiments = populations.stream().map(each -> each.by(reading)).toList();
  }

  /** Tells figures by their keys. */
  void measure(ObjDoubleConsumer<String> report) {
    int rounds = reading.load().isCounted() ? rounds() : 0;
    for (StaticExperiment.Tiers tiers : StaticExperiment.Tiers.values()) {
      String name = tiers.name().toLowerCase(Locale.ROOT) + "_tiers" + reading.suffix();
      measure(name, tiers, rounds, report);
    }
  }

  private void measure(
      String name, StaticExperiment.Tiers tiers, int ruled, ObjDoubleConsumer<String> report) {
    boolean isCounted = reading.load().isCounted();
    int rounds = isCounted ? ruled * reading.roundsPercent() / 100 : Integer.MAX_VALUE;
    double seconds = isCounted ? Double.MAX_VALUE : SECONDS;
    Map<StaticHints.Level, List<StaticExperiment.Run>> runs =
        new EnumMap<>(StaticHints.Level.class);
    for (StaticHints.Level level : StaticHints.Level.values()) {
      runs.put(
          level,
          experiments.parallelStream()
              .map(each -> each.run(tiers, level, rounds, seconds))
              .toList());
    }
    Map<String, List<Double>> found = new TreeMap<>();
    for (int i = 0; i < experiments.size(); i++) {
      StaticExperiment.Run none = runs.get(StaticHints.Level.OFF).get(i);
      StaticExperiment.Run first = runs.get(StaticHints.Level.LEVEL1).get(i);
      StaticExperiment.Run second = runs.get(StaticHints.Level.LEVEL2).get(i);
      Map<String, Double> of = new TreeMap<>();
      of.put("latency_" + name + "_no_hints_ms", none.millis());
      of.put("latency_" + name + "_level1_ms", first.millis());
      of.put("latency_" + name + "_level2_ms", second.millis());
      of.put("change_" + name + "_level1_pct", change(first, none));
      of.put("change_" + name + "_level2_vs_level1_pct", change(second, first));
      of.put("change_" + name + "_level2_pct", change(second, none));
      StaticExperiment files = experiments.get(i);
      of.put(
          "fast_bytes_" + name + "_level1_pct", files.fastPercent(tiers, StaticHints.Level.LEVEL1));
      of.put(
          "fast_bytes_" + name + "_level2_pct", files.fastPercent(tiers, StaticHints.Level.LEVEL2));
      if (isCounted) {
        of.put("rounds_" + name, (double) rounds);
        of.put("elapsed_" + name + "_no_hints_s", none.seconds());
        of.put("elapsed_" + name + "_level1_s", first.seconds());
        of.put("elapsed_" + name + "_level2_s", second.seconds());
      }
      of.forEach((key, value) -> found.computeIfAbsent(key, k -> new ArrayList<>()).add(value));
    }
    found.forEach(
        (key, values) ->
            report.accept(
                key, values.stream().mapToDouble(Double::doubleValue).average().orElseThrow()));
  }

  /** The most rounds of each thread that the volume without hints, of two tiers, ends within 500 seconds in the mean. */
  private int rounds() {
    int guess = 24;
    int rounds = Math.max(1, (int) (guess * SECONDS / elapsed(guess)));
    while (rounds > 1 && elapsed(rounds) > SECONDS) {
      rounds--;
    }
    while (elapsed(rounds + 1) <= SECONDS) {
      rounds++;
    }
    return rounds;
  }

  private double elapsed(int rounds) {
    return experiments.parallelStream()
        .map(
            each ->
                each.run(
                    StaticExperiment.Tiers.TWO, StaticHints.Level.OFF, rounds, Double.MAX_VALUE))
        .toList()
        .stream()
        .mapToDouble(StaticExperiment.Run::seconds)
        .average()
        .orElseThrow();
  }

  private static double change(StaticExperiment.Run with, StaticExperiment.Run without) {
    return 100 * (with.millis() - without.millis()) / without.millis();
  }
}
