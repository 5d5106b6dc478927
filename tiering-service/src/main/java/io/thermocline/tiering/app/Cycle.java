// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.cluster.SegmentTables;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.LearnedThresholds;
import io.thermocline.tiering.decide.MoveHistory;
import io.thermocline.tiering.decide.Pulled;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.CandidateBlocks;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.DirectoryPolicies;
import io.thermocline.tiering.plan.FlashWrites;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One look at HDFS and the plan that follows from it: snapshot, heat, decide, plan. Changes nothing but
 * what it has learned: number lines, thresholds, what was moved. One thread.
 */
final class Cycle {

  /** About 100 bytes each. */
  private static final int MOST_CANDIDATE_BLOCKS = 1_000_000;

  /** In force where none is set. */
  private static final String DEFAULT_POLICY = "HOT";

  private final ServiceConfig.Decide settings;
  private final List<String> quotaDirectories;
  private final Map<StorageType, TierLimits> limits;
  private final Clock clock;
  private final HdfsReader reader;
  private final ManagedFiles managed;
  private final Heat heat;
  private final double leastHeat;
  private final Journal journal;
  private final TierDecider decider;
  private final Planner planner;
  private final SegmentTables tables;
  private final PathSet pinned;
  private final PathSet overridden;
  private final MoveHistory history;
  private final FlashWrites flashWrites;
  private final LeverStates levers;
  private NumberLines lines = NumberLines.empty();
  private LearnedThresholds thresholds = LearnedThresholds.none();

  /** Where a cycle looks. */
  record Sources(
      HdfsReader reader, ManagedFiles managed, Heat heat, Journal journal, Clock clock) {}

  Cycle(ServiceConfig config, Sources sources, TierDecider decider) {
    ServiceConfig.Manage manage = config.manage();
    this.settings = config.decide();
    this.quotaDirectories = manage.quotaDirectories();
    this.limits = decider.limits();
    this.tables = new SegmentTables(config.hdfs().segmentTables());
    this.reader = sources.reader();
    this.managed = sources.managed();
    this.heat = sources.heat();
    this.leastHeat = settings.learnsThresholds() ? 0 : leastHeat(limits);
    this.journal = sources.journal();
    this.clock = sources.clock();
    this.decider = decider;
    this.planner = new Planner(settings.budget());
    this.pinned = new PathSet(manage.pin());
    this.overridden = new PathSet(manage.override());
    this.history = new MoveHistory(settings.stability());
    this.flashWrites = new FlashWrites(settings.flashWritesPerDay());
    this.levers = new LeverStates(settings.levers(), reader, heat, journal);
  }

  /**
   * What was seen and planned.
   *
   * @param profiled paths of the files with a profile, before the others were looked at
   * @param leftFactors replication factors that we changed, and somebody else after us, by path
   */
  record Outcome(
      ClusterView cluster,
      List<HotFile> files,
      Set<String> profiled,
      Situation situation,
      int leftAlone,
      List<Decision> decisions,
      Plan plan,
      Map<String, Integer> leftFactors) {

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
      if (plan.isEmpty() && cluster.occupancy().keySet().stream().noneMatch(StorageType::isFast)) {
        return "no SSD or NVDIMM storage in the cluster: nothing to plan";
      }
      return decisions.size()
          + " decisions, "
          + plan.moves().size()
          + " moves"
          + (plan.levers().isEmpty() ? "" : ", " + plan.levers().size() + " levers")
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
    HdfsReader.Listing listing = managed.look(file -> mayMove(file, policyNames), profiled);
    for (FileView file : listing.files()) {
      if (isOurs(file, policyNames)) {
        hot.add(new HotFile(file, heat.of(file.path())));
      } else {
        leftAlone++;
      }
    }
    Instant now = clock.instant();
    remember(now);
    lines = lines.update(cluster, tables.read());
    LeverStates.Seen pulled = levers.look(hot, cluster);
    Situation situation = situation(cluster, hot, pulled.pulled(), now);
    List<Decision> decisions = decider.decide(hot, situation);
    Plan plan = planner.plan(number, decisions, cluster, lines, flashWrites.wear(now));
    DirectoryPolicies directories =
        new DirectoryPolicies(
            listing.wholeDirectories(),
            journal::hasSet,
            file -> policyNames.getOrDefault(file.storagePolicy(), DEFAULT_POLICY));
    return new Outcome(
        cluster,
        hot,
        profiled,
        situation,
        leftAlone,
        decisions,
        directories.apply(plan, decisions, listing.files()),
        pulled.left());
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

  /** Why a file of an outcome is where it is; empty where the path is no file that is managed. */
  Explanation explain(String path, Outcome outcome) {
    return decider.explain(path, outcome.files(), outcome.situation());
  }

  private Situation situation(ClusterView cluster, List<HotFile> files, Pulled pulled, Instant now)
      throws IOException {
    if (settings.learnsThresholds()) {
      thresholds =
          thresholds.next(
              LearnedThresholds.distribution(files),
              LearnedThresholds.room(files, cluster, limits));
    }
    List<Cap> caps = new ArrayList<>(settings.caps());
    for (HdfsReader.TypeQuota quota : reader.quotas(quotaDirectories)) {
      caps.add(
          new Cap(
              new Cap.Scope.Below(quota.directory()), quota.type(), quota.most(), quota.used()));
    }
    return new Situation(cluster, thresholds.heats(), caps, path -> hold(path, now), pulled);
  }

  private Hold hold(String path, Instant now) {
    return pinned.contains(path) ? Hold.still("pinned by manage.pin") : history.hold(path, now);
  }

  /** Learns from the journal what was moved since the last cycle, or before the start. */
  private void remember(Instant now) {
    for (JournalEntry entry : journal.takeMoves()) {
      Instant at = Instant.parse(entry.at());
      if (entry instanceof JournalEntry.Planned planned) {
        history.moved(planned.path(), Decision.Cause.valueOf(planned.cause()), at);
      } else if (entry instanceof JournalEntry.Moved moved && moved.state().equals("VERIFIED")) {
        String type = moved.to().substring(moved.to().indexOf(' ') + 1);
        flashWrites.written(StorageType.valueOf(type), moved.bytes(), at);
      }
    }
    history.forgetBefore(now);
  }

  /** A policy that somebody set is theirs, on the file or inherited; ours are in the journal. */
  private boolean isOurs(FileView file, Map<Integer, String> policyNames) {
    return file.storagePolicy() == 0
        || overridden.contains(file.path())
        || journal.maySet(file.path(), policyNames.getOrDefault(file.storagePolicy(), ""));
  }
}
