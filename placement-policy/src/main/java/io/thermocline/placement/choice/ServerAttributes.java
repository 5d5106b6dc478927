// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

/**
 * What somebody outside says of servers: an attributes file, a poller. For what no heartbeat carries (free
 * RAM, processors, latency). Asked when a snapshot is made, not for each choice. Safe for any thread.
 */
@FunctionalInterface
public interface ServerAttributes {
  /** Knows nothing. */
  ServerAttributes NONE = (metric, host) -> MetricsView.UNKNOWN;

  /**
   * The latest value of one host in the metric's unit.
   *
   * @return {@link MetricsView#UNKNOWN} where there is none, or none that is recent enough
   */
  double value(Metric metric, String host);
}
