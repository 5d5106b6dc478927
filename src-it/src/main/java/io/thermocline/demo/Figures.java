// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.Decision;
import io.thermocline.demo.report.RunRecord;
import io.thermocline.demo.report.Sample;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.workload.Oracle;
import io.thermocline.testbed.workload.Workload;
import io.thermocline.tiering.app.plans.ServiceStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;

/** Puts together what a run is judged by. */
final class Figures {

  private final ClusterLayout layout;
  private final Workload workload;
  private final ServiceStatus status;

  Figures(ClusterLayout layout, Workload workload, ServiceStatus status) {
    this.layout = layout;
    this.workload = workload;
    this.status = status;
  }

  /**
   * @param windows before tiering, between, and after
   */
  RunRecord record(List<Window> windows, Sampler sampler, int filesChanged, double elapsedSeconds) {
    Window before = windows.get(0);
    Window after = windows.get(windows.size() - 1);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("workload", workload.name());
    figures.put("seed", workload.seed());
    figures.put("hadoop_version", VersionInfo.getVersion());
    figures.put("data_nodes", layout.nodes().size());
    figures.put("files", workload.files().size());
    figures.put("blocks", blocks());
    figures.put("bytes", workload.uniqueBytes());
    figures.put(
        "accesses_replayed", windows.stream().mapToLong(window -> window.result().reads()).sum());
    figures.put(
        "accesses_failed",
        windows.stream().mapToLong(window -> window.result().failures().size()).sum());
    figures.put("audit_events", status.lines().lines());
    figures.put("audit_lines_malformed", status.lines().malformed());
    figures.put("plans", status.plans());
    figures.put("moves_planned", status.moves().planned());
    figures.put("moves_verified", status.moves().verified());
    figures.put("moves_failed", status.moves().failed());
    figures.put("moves_dropped", status.moves().dropped());
    figures.put("bytes_moved", status.moves().bytes());
    figures.put("fast_read_share_before", rounded(before.served().fastReadShare()));
    figures.put("fast_read_share_after", rounded(after.served().fastReadShare()));
    figures.put("fast_read_share_oracle", rounded(oracle(after)));
    figures.put("read_mb_per_s_before", rounded(before.megabytesPerSecond()));
    figures.put("read_mb_per_s_after", rounded(after.megabytesPerSecond()));
    Sample last = sampler.samples().get(sampler.samples().size() - 1);
    last.tiers()
        .forEach(
            (type, tier) ->
                figures.put(
                    "occupancy_" + type.name().toLowerCase(Locale.ROOT),
                    rounded(tier.occupancy())));
    figures.put("files_changed", filesChanged);
    figures.put("elapsed_seconds", rounded(elapsedSeconds));
    return new RunRecord(
        figures,
        before.tiers(),
        after.tiers(),
        sampler.samples(),
        sampler.heatMap(),
        decisions(sampler));
  }

  /** Best share of the window's block reads within the capacity of all fast storages. */
  private double oracle(Window window) {
    long fast = 0;
    for (StorageType type : StorageType.values()) {
      if (type.isFast() && type.isMovable()) {
        fast += layout.capacity(type);
      }
    }
    return new Oracle(workload.files(), layout.blockSize()).bestFastShare(window.accesses(), fast);
  }

  private long blocks() {
    return workload.files().stream()
        .mapToLong(file -> (file.bytes() + layout.blockSize() - 1) / layout.blockSize())
        .sum();
  }

  private static List<Decision> decisions(Sampler sampler) {
    List<Decision> decisions = new ArrayList<>();
    for (var decision : sampler.decisions()) {
      decisions.add(
          new Decision(
              decision.hot().file().path(),
              decision.from().name(),
              decision.target().toString(),
              decision.reason()));
    }
    return decisions;
  }

  private static double rounded(double value) {
    return Math.round(value * 10_000) / 10_000.0;
  }
}
