// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.cluster.SegmentTables;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.CandidateBlocks;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One look at HDFS and the plan that follows from it: snapshot, heat, decide, plan. Changes nothing but
 * its own number lines. One thread.
 */
final class Cycle {

  /** About 100 bytes each. */
  private static final int MOST_CANDIDATE_BLOCKS = 1_000_000;

  private final HdfsReader reader;
  private final ManagedFiles managed;
  private final Heat heat;
  private final double leastHeat;
  private final Journal journal;
  private final TierDecider decider;
  private final Planner planner;
  private final SegmentTables tables;
  private NumberLines lines = NumberLines.empty();

  Cycle(
      ServiceConfig config,
      HdfsReader reader,
      ManagedFiles managed,
      Heat heat,
      Journal journal,
      TierDecider decider) {
    this.tables = new SegmentTables(config.hdfs().segmentTables());
    this.reader = reader;
    this.managed = managed;
    this.leastHeat = leastHeat(config.decide().tiers());
    this.heat = heat;
    this.journal = journal;
    this.decider = decider;
    this.planner = new Planner(config.decide().budget());
  }

  /**
   * What was seen and planned.
   *
   * @param profiled paths of the files with a profile, before the others were looked at
   */
  record Outcome(
      ClusterView cluster,
      List<HotFile> files,
      Set<String> profiled,
      int leftAlone,
      List<Decision> decisions,
      Plan plan) {

    /**
     * The blocks of the files that had a profile.
     *
     * @param asOfMillis reads up to then were in the heat before the plan began, milliseconds since 1970
     */
    CandidateBlocks candidateBlocks(long asOfMillis) {
      List<FileView> hottestFirst =
          files.stream()
              .filter(hot -> profiled.contains(hot.file().path()))
              .sorted(Comparator.comparingDouble(HotFile::heat).reversed())
              .map(HotFile::file)
              .toList();
      return CandidateBlocks.of(hottestFirst, MOST_CANDIDATE_BLOCKS, asOfMillis);
    }

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
    Set<String> profiled =
        heat.profiles().stream().map(Profile::path).collect(Collectors.toUnmodifiableSet());
    for (FileView file : managed.look(file -> mayMove(file, policyNames), profiled)) {
      if (isOurs(file, policyNames)) {
        hot.add(new HotFile(file, heat.of(file.path())));
      } else {
        leftAlone++;
      }
    }
    lines = lines.update(cluster, tables.read());
    List<Decision> decisions = decider.decide(hot, cluster);
    return new Outcome(
        cluster,
        hot,
        profiled,
        leftAlone,
        decisions,
        planner.plan(number, decisions, cluster, lines));
  }

  /** Whether a target may come of it: it is hot enough to rise, or was moved before. */
  private boolean mayMove(FileView file, Map<Integer, String> policyNames) {
    if (!isOurs(file, policyNames)) {
      return false;
    }
    double now = heat.of(file.path());
    return file.storagePolicy() != 0 || (now > 0 && now >= leastHeat);
  }

  private static double leastHeat(Map<StorageType, TierLimits> tiers) {
    return tiers.entrySet().stream()
        .filter(tier -> tier.getKey() != StorageType.ARCHIVE)
        .mapToDouble(tier -> tier.getValue().threshold())
        .min()
        .orElse(0);
  }

  /** A policy that somebody set is theirs, on the file or inherited; ours are in the journal. */
  private boolean isOurs(FileView file, Map<Integer, String> policyNames) {
    return file.storagePolicy() == 0
        || journal.maySet(file.path(), policyNames.getOrDefault(file.storagePolicy(), ""));
  }
}
