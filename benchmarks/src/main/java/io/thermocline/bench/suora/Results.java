// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What each placement came to in each scenario, by the workload's field, as means of all runs. Not thread-safe. */
final class Results {
  private final Map<String, Map<Placement, List<Outcome>>> runs = new LinkedHashMap<>();

  void add(String field, Placement placement, Outcome outcome) {
    runs.computeIfAbsent(field, key -> new EnumMap<>(Placement.class))
        .computeIfAbsent(placement, key -> new ArrayList<>())
        .add(outcome);
  }

  Outcome of(String field, Placement placement) {
    return Outcome.mean(runs.get(field).get(placement));
  }

  /** In the order of the runs. */
  List<String> fields(String prefix) {
    return runs.keySet().stream().filter(field -> field.startsWith(prefix)).toList();
  }

  /** For the JSON line. */
  Map<String, Object> figures() {
    Map<String, Object> figures = new TreeMap<>();
    for (String field : runs.keySet()) {
      Outcome suora = of(field, Placement.SUORA);
      Outcome consistent = of(field, Placement.CH);
      for (Placement placement : Placement.values()) {
        Outcome own = of(field, placement);
        figures.put(field + "_" + placement.field() + "_mb_s", round(own.megabytesPerSecond()));
        if (placement != Placement.SUORA) {
          figures.put(
              "improvement_" + field + "_suora_vs_" + placement.field() + "_pct",
              round(suora.improvement(own)));
        }
      }
      figures.put(
          "improvement_" + field + "_ssd_vs_ch_pct",
          round(of(field, Placement.SSD).improvement(consistent)));
      figures.put(field + "_suora_learning_mb_s", round(suora.learningMegabytesPerSecond()));
      figures.put("ssd_reads_" + field, round(suora.ssdReads()));
      figures.put("moved_share_" + field, round(suora.movedShare()));
      figures.put("demotions_per_object_" + field, round(suora.demotionsPerObject()));
    }
    figures.put("moved_share", round(movedShare()));
    return figures;
  }

  /** Of the patterns of table 5, by which the thresholds were chosen. */
  double movedShare() {
    return fields("pattern_").stream()
        .mapToDouble(field -> of(field, Placement.SUORA).movedShare())
        .average()
        .orElseThrow();
  }

  private static double round(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
