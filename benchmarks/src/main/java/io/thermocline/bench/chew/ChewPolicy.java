// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import io.thermocline.tiering.classify.Accesses;
import io.thermocline.tiering.classify.Chunk;
import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.HierarchicalClassifier;
import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.classify.Taxonomy;
import io.thermocline.tiering.decide.pools.ChewAnalyzer;
import io.thermocline.tiering.decide.pools.ChewAnalyzerPlus;
import io.thermocline.tiering.decide.pools.ChunkParts;
import io.thermocline.tiering.decide.pools.Granularity;
import io.thermocline.tiering.decide.pools.Placement;
import io.thermocline.tiering.decide.pools.PoolAssignment;
import io.thermocline.tiering.decide.pools.PoolSnapshot;
import io.thermocline.tiering.decide.pools.SlidingWindow;
import io.thermocline.tiering.decide.pools.SplitLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** ChewAnalyzer, and ChewAnalyzer++ where it may split, on extents of a block device. */
final class ChewPolicy implements PoolPolicy {
  private final String name;
  private final List<String> pools;
  private final SlidingWindow<Epoch> recent;
  private final ChewAnalyzer plain;

  /** Null where chunks stay whole. */
  private final ChewAnalyzerPlus plus;

  private Granularity granularity = Granularity.WHOLE;
  private double overwritten;

  private ChewPolicy(String name, PatternLibrary library, SplitLimits limits, int window) {
    this.recent = new SlidingWindow<>(window);
    this.name = name;
    this.pools = library.pools();
    this.plain = new ChewAnalyzer(new HierarchicalClassifier(library));
    this.plus = limits == null ? null : new ChewAnalyzerPlus(plain, limits);
  }

  /**
   * @param window how many epochs are looked at
   */
  static ChewPolicy plain(PatternLibrary library, int window) {
    return new ChewPolicy("chew", library, null, window);
  }

  static ChewPolicy plus(PatternLibrary library, SplitLimits limits, int window) {
    return new ChewPolicy("chewplus", library, limits, window);
  }

  static ChunkActivity activity(
      String id, long bytes, String whole, Accesses accesses, Duration window) {
    return new ChunkActivity(
        new Chunk(id, Chunk.Kind.EXTENT, bytes, whole),
        accesses,
        ChunkActivity.Source.BLOCK_TRACE,
        window);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Map<Long, Integer> decide(Epoch last) {
    Epoch epoch = last.withAll(recent.moveOn(last));
    List<ChunkActivity> chunks = new ArrayList<>();
    Map<String, String> now = new HashMap<>();
    for (long chunk : epoch.chunks()) {
      String id = Long.toString(chunk);
      chunks.add(activity(id, Extents.CHUNK, "", epoch.ofChunk(chunk), epoch.window()));
      now.put(id, pools.get(epoch.whereIsChunk(chunk)));
      for (int i = 0; plus != null && i < Extents.PARTS; i++) {
        now.put(id + "/" + i, pools.get(epoch.where().get(chunk * Extents.PARTS + i)));
      }
    }
    PoolSnapshot snapshot = new PoolSnapshot(epoch.pools(), chunks, now);
    PoolAssignment assignment;
    if (plus == null) {
      assignment = plain.place(snapshot);
    } else {
      ChewAnalyzerPlus.Refined refined =
          plus.place(snapshot, (whole, least, most) -> parts(epoch, whole), granularity);
      granularity = refined.next();
      assignment = refined.assignment();
    }
    return targets(assignment);
  }

  private static ChunkParts.Split parts(Epoch epoch, ChunkActivity whole) {
    String id = whole.chunk().id();
    List<ChunkActivity> parts = new ArrayList<>();
    for (int i = 0; i < Extents.PARTS; i++) {
      Accesses accesses = epoch.of(Long.parseLong(id) * Extents.PARTS + i);
      parts.add(activity(id + "/" + i, Extents.PART, id, accesses, epoch.window()));
    }
    return new ChunkParts.Split(parts, "");
  }

  private Map<Long, Integer> targets(PoolAssignment assignment) {
    Map<Long, Integer> targets = new LinkedHashMap<>();
    RankedTiering.Overwritten written = new RankedTiering.Overwritten(Taxonomy.STANDARD);
    for (Placement one : assignment.placements()) {
      Chunk chunk = one.classified().activity().chunk();
      int pool = pools.indexOf(one.pool());
      written.add(one.classified().activity().accesses());
      if (chunk.whole().isEmpty()) {
        long first = Long.parseLong(chunk.id()) * Extents.PARTS;
        for (int i = 0; i < Extents.PARTS; i++) {
          targets.put(first + i, pool);
        }
      } else {
        int slash = chunk.id().indexOf('/');
        targets.put(
            Long.parseLong(chunk.whole()) * Extents.PARTS
                + Long.parseLong(chunk.id().substring(slash + 1)),
            pool);
      }
    }
    overwritten = written.share();
    return targets;
  }

  @Override
  public boolean tierByTier() {
    return false;
  }

  @Override
  public double overwrittenShare() {
    return overwritten;
  }
}
