// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.classify.HierarchicalClassifier;
import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.decide.pools.BlockParts;
import io.thermocline.tiering.decide.pools.ChewAnalyzer;
import io.thermocline.tiering.decide.pools.ChewAnalyzerPlus;
import io.thermocline.tiering.decide.pools.Granularity;
import io.thermocline.tiering.decide.pools.PoolAssignment;
import io.thermocline.tiering.decide.pools.PoolSnapshot;
import io.thermocline.tiering.decide.pools.SplitLimits;
import io.thermocline.tiering.decide.pools.VolumeSpeed;
import io.thermocline.tiering.observe.FileView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * ChewAnalyzer++ on a snapshot of HDFS: files, groups of small ones, and blocks go to the pools that suit their patterns.
 * Immutable and pure: what it remembers is handed in and out.
 */
public final class ChewDecider {

  /*
   * What may not go where its pattern would have it (held, a cap, not worth the copies) stays where it is, and takes its
   * room as other data does: everything else is placed anew without it. Each round takes something out, and few are needed; what
   * is refused in the last one only stays.
   */
  private static final int ROUNDS = 8;

  private final Tiering tiering;
  private final Rules rules;
  private final HdfsChunks chunks;
  private final ChewPools pools;
  private final ChewAnalyzerPlus analyzer;

  /**
   * What to go by.
   *
   * @param window epochs that are handed in as one {@link HdfsChunks.Window}
   * @param smallBelow bytes; shorter files of a directory are one chunk
   * @param volumes what one volume of each pool can serve
   */
  public record Rules(
      PatternLibrary library,
      SplitLimits split,
      int window,
      long smallBelow,
      Map<String, VolumeSpeed> volumes,
      BlockParts.Plugin plugin) {}

  /**
   * What was decided for the next epoch.
   *
   * @param assignment of all chunks that may move
   * @param refused paths of what stays, with the reason
   * @param next to be handed in for the next epoch
   */
  public record Chewed(
      List<Decision> decisions,
      PoolAssignment assignment,
      Map<String, String> refused,
      Granularity next) {}

  /**
   * @param tiering its limits, gate and ladder count; its margin doesn't
   */
  public ChewDecider(Tiering tiering, Rules rules) {
    this.tiering = tiering;
    this.rules = rules;
    this.chunks = new HdfsChunks(rules.smallBelow());
    this.pools = new ChewPools(tiering.limits(), rules.volumes());
    this.analyzer =
        new ChewAnalyzerPlus(
            new ChewAnalyzer(new HierarchicalClassifier(rules.library())), rules.split());
  }

  /**
   * The files whose copies should move. One of which parts go to several pools appears once for each of these, with
   * its blocks that go there.
   *
   * @param files everything there is to know of, also what is held
   * @param window what was done with them in the last epochs
   * @param before what was handed out for the epoch before, or {@link Granularity#WHOLE}
   */
  public Chewed decide(
      List<HotFile> files, Situation situation, HdfsChunks.Window window, Granularity before) {
    Ladder ladder = new Ladder(tiering.promotion(), tiering.written(), situation.cluster());
    Set<StorageType> types = pools.types(situation.cluster());
    List<HotFile> movable =
        new Draft(files, situation, ladder)
            .entries().stream()
                .filter(entry -> types.contains(entry.leadNow()))
                .map(Draft.Entry::hot)
                .toList();
    Map<String, String> refused = new HashMap<>();
    movable.stream()
        .filter(hot -> hot.file().isErasureCoded())
        .forEach(hot -> refused.put(hot.file().path(), "it is erasure-coded"));
    for (int round = 1; ; round++) {
      List<HotFile> placed =
          movable.stream().filter(hot -> !refused.containsKey(hot.file().path())).toList();
      ChewAnalyzerPlus.Refined refined = place(placed, situation, window, before);
      ChewTargets targets = new ChewTargets(tiering.gate(), files, situation, ladder);
      Map<String, String> more =
          targets.carryOut(ChewUnit.of(placed, refined.assignment(), chunks));
      refused.putAll(more);
      if (more.isEmpty() || round == ROUNDS) {
        return new Chewed(
            targets.decisions(), refined.assignment(), Map.copyOf(refused), refined.next());
      }
    }
  }

  private ChewAnalyzerPlus.Refined place(
      List<HotFile> files, Situation situation, HdfsChunks.Window window, Granularity before) {
    Map<String, HotFile> byPath =
        files.stream().collect(Collectors.toMap(hot -> hot.file().path(), Function.identity()));
    List<ChunkActivity> whole = chunks.of(files.stream().map(HotFile::file).toList(), window);
    PoolSnapshot snapshot =
        new PoolSnapshot(pools.of(files, situation.cluster()), whole, now(files, before));
    BlockParts parts =
        new BlockParts(rules.plugin(), path -> chunks.blocks(byPath.get(path).file(), window));
    return analyzer.place(snapshot, parts, before);
  }

  /** A group is where most of its bytes are; of files that are split, blocks by themselves. */
  private Map<String, String> now(List<HotFile> files, Granularity before) {
    Map<String, Map<StorageType, Long>> bytes = new HashMap<>();
    Map<String, String> now = new HashMap<>();
    for (HotFile hot : files) {
      bytes
          .computeIfAbsent(chunks.idOf(hot.file()), id -> new HashMap<>())
          .merge(Layout.of(hot.file()).lead(), hot.file().length(), Long::sum);
      if (before.split().containsKey(hot.file().path())) {
        for (int i = 0; i < hot.file().blocks().size(); i++) {
          now.put(
              HdfsChunks.blockId(hot.file(), i),
              Layout.of(ChewUnit.part(hot.file(), i, i + 1)).lead().name());
        }
      }
    }
    bytes.forEach(
        (id, byType) ->
            now.put(
                id,
                byType.entrySet().stream()
                    .max(
                        Map.Entry.<StorageType, Long>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .orElseThrow()
                    .getKey()
                    .name()));
    return now;
  }

  /** Why a file is where it is, as {@link #decide} on the same input has it. */
  public Explanation explain(String path, Chewed chewed, List<HotFile> files, Situation situation) {
    return new ChewExplanation(rules.library(), chunks, chewed).of(path, files, situation);
  }

  /** Names of the library's patterns that a file's chunks have; none of a file that isn't placed. */
  public Function<FileView, List<String>> patterns(Chewed chewed) {
    return new ChunkPatterns(chunks, chewed.assignment().placements());
  }
}
