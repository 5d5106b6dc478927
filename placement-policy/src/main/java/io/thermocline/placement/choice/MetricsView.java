// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

/** What is known of the servers, as one client sees it. Servers have the numbers of the devices. */
@FunctionalInterface
public interface MetricsView {
  /** What {@link #value} says where nothing is known. */
  double UNKNOWN = Double.NaN;

  /** The value in the metric's unit; {@link #UNKNOWN} where there is none, also of a server unheard of. */
  double value(Metric metric, int server);
}
