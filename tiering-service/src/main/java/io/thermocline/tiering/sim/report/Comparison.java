// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.sim.MoveMode;
import java.util.List;

/**
 * Policies side by side.
 *
 * @param trace its name
 * @param accesses in it
 * @param files in it
 * @param fileBytes of all files
 * @param mode how soon moves take effect
 * @param readOrder by which readers get copies
 * @param seed of the run
 * @param tiers names, slowest first
 * @param fastBytes the capacity of the fastest tier that the cluster has; other sizes are what-ifs
 * @param rows by size of the fastest tier, then in the order of the policies
 */
public record Comparison(
    String trace,
    long accesses,
    long files,
    long fileBytes,
    MoveMode mode,
    ReadOrder readOrder,
    long seed,
    List<String> tiers,
    long fastBytes,
    List<PolicyRow> rows) {
  public Comparison {
    tiers = List.copyOf(tiers);
    rows = List.copyOf(rows);
  }

  /** Rows of the cluster as it is. */
  public List<PolicyRow> asItIs() {
    return rows.stream().filter(row -> row.fastBytes() == fastBytes).toList();
  }

  /** Sizes of the fastest tier that were tried, smallest first. */
  public List<Long> sizes() {
    return rows.stream().map(PolicyRow::fastBytes).distinct().sorted().toList();
  }
}
