// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import java.util.ArrayList;
import java.util.List;

/** A workload and what it runs on. */
record Scenario(Testbed testbed, Workload workload) {

  /**
   * All of them.
   *
   * @param quick on an eighth of the data
   */
  static List<Scenario> all(boolean quick, double ssdLatencySeconds, long seed) {
    int divisor = quick ? 128 : 16;
    Workloads workloads = new Workloads(quick ? 20 : 160, divisor, seed);
    Testbed whole = Testbed.of(ssdLatencySeconds, 1);
    List<Scenario> all = new ArrayList<>();
    workloads.bySize().forEach(workload -> all.add(new Scenario(whole, workload)));
    workloads.byPattern("pattern_").forEach(workload -> all.add(new Scenario(whole, workload)));
    workloads
        .byPattern("bandwidth_")
        .forEach(workload -> all.add(new Scenario(Testbed.ofBandwidths(), workload)));
    all.add(new Scenario(Testbed.ofBandwidths(), workloads.oneByOne()));
    workloads.bySkew().forEach(workload -> all.add(new Scenario(whole, workload)));
    Testbed small = Testbed.of(ssdLatencySeconds, divisor);
    workloads.applications().forEach(workload -> all.add(new Scenario(small, workload)));
    return all;
  }

  /** The same seed gives the same outcome. */
  Outcome run(Placement placement, long seed) {
    return ClosedLoop.run(testbed, placement.store(testbed, workload, seed), workload, seed);
  }
}
