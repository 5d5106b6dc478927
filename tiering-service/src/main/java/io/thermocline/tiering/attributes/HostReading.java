// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.attributes;

import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.ServerMetrics;

/**
 * What a DataNode said of its host. NaN is unknown. Immutable.
 *
 * @param freeMemory bytes
 * @param cpu processors in use, from 0 to 1
 * @param writeMillis mean time of a block write
 */
record HostReading(double freeMemory, double cpu, double writeMillis) {

  static HostReading of(ServerMetrics metrics) {
    double writes = metrics.value(Metric.WRITE_LATENCY, 0);
    return new HostReading(
        metrics.value(Metric.MEMORY_FREE, 0),
        metrics.value(Metric.CPU_USED, 0),
        // A DataNode says 0 until it has written a block: that it is the fastest isn't known.
        writes > 0 ? writes : Double.NaN);
  }

  boolean saysNothing() {
    return Double.isNaN(freeMemory) && Double.isNaN(cpu) && Double.isNaN(writeMillis);
  }

  /** Of two DataNodes on one host: for each figure the worse one that is known. */
  HostReading worse(HostReading other) {
    return new HostReading(
        known(freeMemory, other.freeMemory, Math.min(freeMemory, other.freeMemory)),
        known(cpu, other.cpu, Math.max(cpu, other.cpu)),
        known(writeMillis, other.writeMillis, Math.max(writeMillis, other.writeMillis)));
  }

  private static double known(double one, double other, double ofBoth) {
    if (Double.isNaN(one)) {
      return other;
    }
    return Double.isNaN(other) ? one : ofBoth;
  }
}
