// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.SegmentTables;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Files that no plan moved, and that lie where they do because a plan had set a storage policy on a directory above them:
 * most came after it. One thread.
 */
public final class Newcomers {

  private static final String DEFAULT_POLICY = "HOT";

  private final HdfsReader reader;
  private final Budget budget;
  private final SegmentTables tables;
  private final Map<String, List<StorageType>> types = new HashMap<>();

  /**
   * @param reader may ask which storages there are
   */
  public Newcomers(ServiceConfig config, HdfsReader reader) {
    this.reader = reader;
    this.budget = new Budget(Integer.MAX_VALUE, Long.MAX_VALUE, config.decide().budget().fill());
    this.tables = new SegmentTables(config.hdfs().segmentTables());
  }

  /**
   * A policy's way back.
   *
   * @param now in force on the directory; empty: none
   * @param set by the plan
   * @param after in force when the plan is taken back; empty: none
   */
  record Way(String directory, String now, String set, String after) {}

  /** One of them, and where its copies belong without the policy. */
  record Newcomer(FileView file, Target target) {

    int moves() {
      return file.blocks().stream().mapToInt(block -> target.shifts(block.types()).size()).sum();
    }
  }

  /**
   * Closed files below the directory that have its policy, and lie as the plan's policy has them.
   *
   * @param known paths that aren't looked at
   */
  List<Newcomer> below(Way way, Predicate<String> known) throws IOException {
    Map<Integer, String> names = reader.storagePolicies();
    List<Newcomer> found = new ArrayList<>();
    try {
      reader.pass(
          List.of(way.directory()),
          path -> false,
          file -> {
            // Another policy is of the file's own.
            boolean inherits =
                names.getOrDefault(file.storagePolicy(), DEFAULT_POLICY).equals(named(way.now()));
            if (inherits && !known.test(file.path())) {
              Target target = target(way.after(), file);
              Target placed = target(way.set(), file);
              boolean isOut =
                  file.blocks().stream()
                      .anyMatch(
                          block ->
                              !target.shifts(block.types()).isEmpty()
                                  && placed.shifts(block.types()).isEmpty());
              if (isOut) {
                found.add(new Newcomer(file, target));
              }
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return found;
  }

  private static String named(String policy) {
    return policy.isEmpty() ? DEFAULT_POLICY : policy;
  }

  private Target target(String policy, FileView file) {
    String name = named(policy);
    List<StorageType> copies =
        types.computeIfAbsent(
            name + " " + file.replication(),
            key -> {
              try {
                return reader.types(name, file.replication());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return new Target(copies, name);
  }

  /**
   * Moves that bring them to where they belong; no policy is set.
   *
   * @param from how many files the plan of this number has already
   */
  Plan plan(long number, int from, List<Newcomer> newcomers) throws IOException {
    ClusterView cluster = reader.cluster();
    NumberLines lines = NumberLines.empty().update(cluster, tables.read());
    List<Decision> decisions =
        newcomers.stream()
            .map(
                one ->
                    new Decision(
                        new HotFile(one.file(), 0),
                        one.target().lead(),
                        one.target(),
                        Decision.Cause.UNDONE,
                        "the storage policy of a directory above it is taken back",
                        new Gate.Benefit(Double.NaN, Double.NaN, Double.NaN)))
            .toList();
    Plan plan = new Planner(budget).plan(number, decisions, cluster, lines);
    List<Plan.FileMoves> files = new ArrayList<>();
    for (Plan.FileMoves file : plan.files()) {
      String id = number + "-" + (from + files.size());
      List<Move> moves = new ArrayList<>();
      for (Move move : file.moves()) {
        moves.add(
            new Move(
                id + "." + moves.size(),
                move.path(),
                move.block(),
                move.source(),
                move.targetNode(),
                move.targetStorage(),
                move.targetType()));
      }
      files.add(new Plan.FileMoves(file.decision(), null, moves));
    }
    return new Plan(number, files, plan.unplaced());
  }
}
