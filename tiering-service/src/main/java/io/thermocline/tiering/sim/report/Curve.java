// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.util.List;

/**
 * A line of a chart.
 *
 * @param title shown in the legend, and where the pointer rests on it
 * @param css class of the stroke: ours, oracle, or c0 to c15
 * @param values one for each place of the axis; what isn't finite is left out
 */
public record Curve(String title, String css, List<Double> values) {
  public Curve {
    values = List.copyOf(values);
  }
}
