// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a chart says, in text: for readers who don't see it, and where no script runs. Long series are
 * thinned evenly, first and last always kept.
 */
record TextTable(List<String> columns, List<Row> rows) {

  record Row(String head, List<String> cells) {}

  private static final int TIMES_DOWN = 13;
  private static final int TIMES_ACROSS = 7;

  /** As many directories as the chart draws. */
  static final int DIRECTORIES = 30;

  /** Directories down, hottest first; times across. */
  static TextTable ofHeat(HeatMap heat) {
    List<Integer> times = thin(heat.seconds().length, TIMES_ACROSS);
    double[][] values = heat.heat();
    return new TextTable(
        times.stream().map(time -> seconds(heat.seconds()[time])).toList(),
        IntStream.range(0, heat.directories().size())
            .boxed()
            .sorted(Comparator.comparingDouble(heat::total).reversed())
            .limit(DIRECTORIES)
            .map(
                directory ->
                    new Row(
                        heat.directories().get(directory),
                        times.stream()
                            .map(time -> Format.number(values[time][directory], 1))
                            .toList()))
            .toList());
  }

  /** Times down; occupancy by tier and the state of the moves across. */
  static TextTable ofOccupancy(List<Sample> samples, Series series) {
    List<String> columns = new ArrayList<>();
    series.tiers().forEach(type -> columns.add(type.name()));
    columns.addAll(List.of("audit events", "planned", "running", "verified", "failed"));
    List<Row> rows = new ArrayList<>();
    for (int i : thin(samples.size(), TIMES_DOWN)) {
      Sample sample = samples.get(i);
      List<String> cells = new ArrayList<>();
      for (StorageType type : series.tiers()) {
        cells.add(percent(series.occupancy().get(type).get(i)));
      }
      cells.add(Format.count(sample.auditEvents()));
      cells.add(Format.count(sample.movesPlanned()));
      cells.add(Format.count(sample.movesRunning()));
      cells.add(Format.count(sample.movesVerified()));
      cells.add(Format.count(sample.movesFailed()));
      rows.add(new Row(seconds(sample.seconds()), cells));
    }
    return new TextTable(columns, rows);
  }

  /** Times down; share of reads by tier across. */
  static TextTable ofReadShare(Series series) {
    List<Row> rows = new ArrayList<>();
    for (int i : thin(series.seconds().size(), TIMES_DOWN)) {
      List<String> cells = new ArrayList<>();
      for (StorageType type : series.tiers()) {
        cells.add(percent(series.readShare().get(type).get(i)));
      }
      rows.add(new Row(seconds(series.seconds().get(i)), cells));
    }
    return new TextTable(series.tiers().stream().map(Enum::name).toList(), rows);
  }

  private static List<Integer> thin(int size, int most) {
    if (size <= most) {
      return IntStream.range(0, size).boxed().toList();
    }
    return IntStream.range(0, most)
        .mapToObj(i -> (int) Math.round(i * (size - 1) / (most - 1.0)))
        .toList();
  }

  private static String percent(Double share) {
    return share == null ? "\u2013" : Format.percent(share);
  }

  private static String seconds(double seconds) {
    return Format.number(seconds, 0) + "\u00a0s";
  }
}
