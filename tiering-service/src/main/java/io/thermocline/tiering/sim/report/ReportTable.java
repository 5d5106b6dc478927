// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The cluster as it is: a row for each policy.
 *
 * @param columns heads; the first is the policy's
 * @param rows cells, as many as columns
 */
record ReportTable(List<String> columns, List<List<String>> rows) {

  static ReportTable of(Comparison comparison) {
    List<String> columns = new ArrayList<>(List.of("policy", "mean", "p99", "rate/s"));
    List<String> tiers = comparison.tiers();
    for (int tier = tiers.size() - 1; tier >= 0; tier--) {
      columns.add("hits " + tiers.get(tier));
    }
    columns.addAll(List.of("bytes " + tiers.get(tiers.size() - 1), "up", "down", "to flash"));
    columns.addAll(List.of("disk time", "busiest 10 min"));
    columns.add("a decision");
    return new ReportTable(
        columns, comparison.asItIs().stream().map(row -> cells(row, tiers.size())).toList());
  }

  private static List<String> cells(PolicyRow row, int tiers) {
    List<String> cells = new ArrayList<>();
    cells.add(row.title());
    cells.add(Quantities.seconds(row.result().latency().mean()));
    cells.add(Quantities.seconds(row.result().latency().p99()));
    cells.add(Quantities.bytes(row.bytesPerSecond()));
    for (int tier = tiers - 1; tier >= 0; tier--) {
      cells.add(Quantities.percent(row.result().hitShare(tier)));
    }
    cells.add(Quantities.percent(row.result().byteHitShare(tiers - 1)));
    cells.add(Quantities.bytes(row.result().bytesUp()));
    cells.add(Quantities.bytes(row.result().bytesDown()));
    cells.add(Quantities.bytes(row.result().flashBytes()));
    cells.add(Quantities.hours(row.result().diskTime().all()));
    cells.add(Quantities.hours(row.result().diskTime().peak()));
    cells.add(Quantities.seconds(row.decisionMicros() / 1e6));
    return cells;
  }
}
