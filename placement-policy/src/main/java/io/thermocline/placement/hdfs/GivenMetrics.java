// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.MetricsView;
import io.thermocline.placement.choice.ServerAttributes;
import io.thermocline.placement.model.HostMetrics;
import io.thermocline.placement.model.NodeAttributes;
import java.util.HashMap;
import java.util.Map;

/** The metrics that the node-attributes file gives. For one refresh, by one thread. */
final class GivenMetrics implements ServerAttributes {
  private static final double NANOS_PER_MILLI = 1e6;

  private final NodeAttributes attributes;
  private final Map<String, HostMetrics> byHost = new HashMap<>();

  GivenMetrics(NodeAttributes attributes) {
    this.attributes = attributes;
  }

  @Override
  public double value(Metric metric, String host) {
    HostMetrics given = byHost.computeIfAbsent(host, attributes::metrics);
    if (metric.equals(Metric.MEMORY_FREE) && given.freeMemory().isPresent()) {
      return given.freeMemory().getAsLong();
    }
    if (metric.equals(Metric.CPU_USED)) {
      return given.cpu().orElse(MetricsView.UNKNOWN);
    }
    if (metric.equals(Metric.WRITE_LATENCY) && given.latency().isPresent()) {
      return given.latency().getAsLong() / NANOS_PER_MILLI;
    }
    if (metric.equals(Metric.JOURNAL_UNFLUSHED) && given.journal().isPresent()) {
      return given.journal().getAsLong();
    }
    return MetricsView.UNKNOWN;
  }
}
