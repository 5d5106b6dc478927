// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.SegmentTables;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One look at HDFS and the plan that follows from it: snapshot, heat, decide, plan. Changes nothing but
 * its own number lines. One thread.
 */
final class Cycle {

  private final ServiceConfig.Manage manage;
  private final HdfsReader reader;
  private final Heat heat;
  private final Journal journal;
  private final TierDecider decider;
  private final Planner planner;
  private final SegmentTables tables;
  private NumberLines lines = NumberLines.empty();

  Cycle(ServiceConfig config, HdfsReader reader, Heat heat, Journal journal, TierDecider decider) {
    this.manage = config.manage();
    this.tables = new SegmentTables(config.hdfs().segmentTables());
    this.reader = reader;
    this.heat = heat;
    this.journal = journal;
    this.decider = decider;
    this.planner = new Planner(config.decide().budget());
  }

  /** What was seen and planned. */
  record Outcome(
      ClusterView cluster,
      List<HotFile> files,
      int leftAlone,
      List<Decision> decisions,
      Plan plan) {

    String message() {
      if (cluster.occupancy().keySet().stream().noneMatch(StorageType::isFast)) {
        return "no SSD or NVDIMM storage in the cluster: nothing to plan";
      }
      return decisions.size()
          + " decisions, "
          + plan.moves().size()
          + " moves"
          + (plan.unplaced().isEmpty()
              ? ""
              : ", " + plan.unplaced().size() + " later: " + plan.unplaced().get(0).reason());
    }
  }

  Outcome run(long number) throws IOException {
    ClusterView cluster = reader.cluster();
    Map<Integer, String> policyNames = reader.storagePolicies();
    List<HotFile> hot = new ArrayList<>();
    int leftAlone = 0;
    for (FileView file : reader.files(manage.paths(), manage.maxFiles())) {
      if (isOurs(file, policyNames)) {
        hot.add(new HotFile(file, heat.of(file.path())));
      } else {
        leftAlone++;
      }
    }
    lines = lines.update(cluster, tables.read());
    List<Decision> decisions = decider.decide(hot, cluster);
    return new Outcome(
        cluster, hot, leftAlone, decisions, planner.plan(number, decisions, cluster, lines));
  }

  /** A policy that somebody set is theirs, on the file or inherited; ours are in the journal. */
  private boolean isOurs(FileView file, Map<Integer, String> policyNames) {
    return file.storagePolicy() == 0
        || journal.maySet(file.path(), policyNames.getOrDefault(file.storagePolicy(), ""));
  }
}
