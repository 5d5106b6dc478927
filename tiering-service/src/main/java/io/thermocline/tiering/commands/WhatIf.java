// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.config.ClusterFile;
import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.RunResult;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.Simulation;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.cluster.ClusterDevices;
import io.thermocline.tiering.sim.cluster.ClusterSpec;
import io.thermocline.tiering.sim.report.Comparison;
import io.thermocline.tiering.sim.report.PolicyRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Runs policies on a trace and a cluster, with several sizes of its fastest tier. */
final class WhatIf {
  private final Trace trace;
  private final ClusterFile site;
  private final MoveMode mode;
  private final long seed;
  private final LongSupplier nanos;

  WhatIf(Trace trace, ClusterFile site, MoveMode mode, long seed, LongSupplier nanos) {
    this.trace = trace;
    this.site = site;
    this.mode = mode;
    this.seed = seed;
    this.nanos = nanos;
  }

  /**
   * @param factors of the fastest tier's capacity; 1 is added where it isn't there
   * @param progress is told a line after each run
   * @throws IllegalArgumentException if the home tier can't hold the trace's files
   */
  Comparison compare(
      List<PolicyFactory> policies, List<Double> factors, Consumer<String> progress) {
    List<Double> sizes =
        Stream.concat(factors.stream(), Stream.of(1.0)).distinct().sorted().toList();
    int runs = sizes.size() * policies.size();
    long begin = nanos.getAsLong();
    List<PolicyRow> rows = new ArrayList<>();
    for (double size : sizes) {
      ClusterSpec cluster = site.cluster().withFastest(size);
      for (PolicyFactory policy : policies) {
        long start = nanos.getAsLong();
        PolicyRow row = run(policy, cluster);
        rows.add(row);
        long now = nanos.getAsLong();
        progress.accept(
            String.format(
                Locale.ROOT,
                "%d of %d: %s, fastest tier %s times: %.1f million requests/s; about %.0f s left",
                rows.size(),
                runs,
                row.title(),
                size,
                row.requests() * 1e3 / (now - start),
                (now - begin) / 1e9 / rows.size() * (runs - rows.size())));
      }
    }
    List<SimTier> tiers = site.cluster().simTiers();
    return new Comparison(
        trace.name(),
        trace.accesses().size(),
        trace.files().size(),
        trace.uniqueBytes(),
        mode,
        site.cluster().readOrder(),
        seed,
        tiers.stream().map(SimTier::name).toList(),
        tiers.get(tiers.size() - 1).capacityBytes(),
        rows);
  }

  private PolicyRow run(PolicyFactory policy, ClusterSpec cluster) {
    List<SimTier> tiers = cluster.simTiers();
    ClusterDevices devices = new ClusterDevices(cluster, seed);
    Simulation simulation =
        new Simulation(
            trace,
            tiers,
            new Simulation.Settings(
                cluster.home(), mode, site.decideEvery().toNanos() / 1_000, site.moveShare()),
            nanos,
            devices);
    RunResult result =
        simulation.run(
            policy
                .make()
                .apply(
                    new PolicyFactory.Setting(trace, tiers, cluster.home(), mode, seed, cluster)));
    double served = trace.accesses().stream().mapToDouble(FileAccess::bytes).sum();
    double waited = result.latency().mean() * trace.accesses().size();
    return new PolicyRow(
        policy.name(),
        policy.title(),
        tiers.get(tiers.size() - 1).capacityBytes(),
        result,
        served / waited,
        devices.requests());
  }
}
