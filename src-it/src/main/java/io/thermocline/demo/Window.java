// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.TierWindow;
import io.thermocline.testbed.device.DeviceCounts;
import io.thermocline.testbed.workload.Access;
import io.thermocline.testbed.workload.WindowResult;
import java.util.List;

/**
 * A part of the replay: what was asked for, what the clients got, and what the devices served.
 */
record Window(List<Access> accesses, WindowResult result, DeviceCounts served) {

  List<TierWindow> tiers() {
    return served.byType().entrySet().stream()
        .map(
            entry ->
                new TierWindow(
                    entry.getKey(),
                    entry.getValue().clientReads(),
                    entry.getValue().clientBytesRead()))
        .toList();
  }

  /** Decimal megabytes a second that all clients received together. */
  double megabytesPerSecond() {
    return result.bytesPerSecond() / 1e6;
  }
}
