// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import java.util.Arrays;
import java.util.List;

/**
 * How hot directories were over the time of a run.
 *
 * @param directories paths, in any order
 * @param seconds since the start of the run, ascending
 * @param heat decayed accesses per GB (or a like measure), at least 0, indexed {@code [time][directory]}
 */
public record HeatMap(List<String> directories, double[] seconds, double[][] heat) {

  public HeatMap {
    directories = List.copyOf(directories);
    seconds = seconds.clone();
    heat = Arrays.stream(heat).map(double[]::clone).toArray(double[][]::new);
    if (heat.length != seconds.length) {
      throw new IllegalArgumentException(
          "heat has " + heat.length + " rows for " + seconds.length + " times");
    }
    for (int time = 0; time < heat.length; time++) {
      if (heat[time].length != directories.size()) {
        throw new IllegalArgumentException(
            "row "
                + time
                + " of heat has "
                + heat[time].length
                + " values for "
                + directories.size()
                + " directories");
      }
      Require.notNegative("seconds", seconds[time]);
      for (double value : heat[time]) {
        Require.notNegative("heat", value);
      }
    }
  }

  /** A run without one. */
  public static HeatMap empty() {
    return new HeatMap(List.of(), new double[0], new double[0][]);
  }

  /** Sum over time, the measure by which directories are ordered. */
  double total(int directory) {
    double sum = 0;
    for (double[] row : heat) {
      sum += row[directory];
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HeatMap that
        && directories.equals(that.directories)
        && Arrays.equals(seconds, that.seconds)
        && Arrays.deepEquals(heat, that.heat);
  }

  @Override
  public int hashCode() {
    return 31 * directories.hashCode() + Arrays.deepHashCode(heat);
  }
}
