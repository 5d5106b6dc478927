// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.DirectoryPolicies;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSClient;

/** A copy of each file of a directory to SSD, planned by the service's own stages. */
final class SsdPlan {
  private static final int MOST_FILES = 1_000_000;

  private SsdPlan() {}

  static Plan of(DFSClient hdfs, String directory) throws IOException {
    HdfsReader reader = new HdfsReader(hdfs);
    ClusterView cluster = reader.cluster();
    List<FileView> files = new ArrayList<>();
    Set<String> wholeDirectories = reader.pass(List.of(directory), path -> false, files::add);
    List<HotFile> hot = files.stream().map(file -> new HotFile(file, 1)).toList();
    List<Decision> decisions =
        new TierDecider(Tiering.plain(Map.of(StorageType.SSD, new TierLimits(0.9, 0.95, 1)), 0))
            .decide(hot, cluster);
    Plan plan =
        new Planner(new Budget(MOST_FILES, Long.MAX_VALUE, 0.95))
            .plan(1, decisions, cluster, NumberLines.empty().update(cluster, Map.of()));
    return new DirectoryPolicies(wholeDirectories, file -> false, file -> false, file -> "HOT")
        .apply(plan, files);
  }
}
