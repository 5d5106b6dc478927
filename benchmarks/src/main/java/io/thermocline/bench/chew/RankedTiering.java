// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import io.thermocline.tiering.classify.Accesses;
import io.thermocline.tiering.classify.Taxonomy;
import io.thermocline.tiering.decide.pools.Pool;
import io.thermocline.tiering.decide.pools.SlidingWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The baselines of section 3.5: chunks ranked by one number, the highest in the fastest pool, tier by tier. What wasn't
 * accessed stays while its room is free. Two of them: by IOPS alone, and by IOPS and throughput together as shares of what the
 * slowest pool can do (EDT, Guerra et al.). With the window and the margin of ours, what is left between it and ours is neither
 * of these.
 */
final class RankedTiering implements PoolPolicy {
  private record Ranked(long chunk, double rank, int now) {}

  private static final Comparator<Ranked> HIGHEST_FIRST =
      Comparator.comparingDouble(Ranked::rank)
          .reversed()
          .thenComparing(Ranked::now)
          .thenComparing(Ranked::chunk);

  private final String name;
  private final ToDoubleFunction<Accesses> rank;
  private final double margin;
  private final SlidingWindow<Epoch> recent;
  private double overwritten;

  private RankedTiering(String name, ToDoubleFunction<Accesses> rank, int window, double margin) {
    this.recent = new SlidingWindow<>(window);
    this.name = name;
    this.rank = rank;
    this.margin = margin;
  }

  /**
   * @param window how many epochs are looked at, 1 for the paper's baseline
   * @param margin 0 for the paper's baseline
   */
  static RankedTiering byRequests(String name, int window, double margin) {
    return new RankedTiering(name, Accesses::requests, window, margin);
  }

  static RankedTiering edt(Pool slowest) {
    return new RankedTiering(
        "edt",
        accesses ->
            accesses.requests() / slowest.peakRequests() + accesses.bytes() / slowest.peakBytes(),
        1,
        0);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Map<Long, Integer> decide(Epoch last) {
    Epoch epoch = last.withAll(recent.moveOn(last));
    List<Ranked> ranked = new ArrayList<>();
    Overwritten written = new Overwritten(Taxonomy.STANDARD);
    for (long chunk : epoch.chunks()) {
      Accesses accesses = epoch.ofChunk(chunk);
      written.add(accesses);
      ranked.add(new Ranked(chunk, rank.applyAsDouble(accesses), epoch.whereIsChunk(chunk)));
    }
    overwritten = written.share();
    Map<Long, Integer> targets = new LinkedHashMap<>();
    List<Ranked> left = new ArrayList<>(ranked);
    int slowest = epoch.pools().size() - 1;
    for (int pool = 0; pool < slowest; pool++) {
      int here = pool;
      long free = epoch.pools().get(pool).bytes() / Extents.CHUNK;
      left.sort(
          Comparator.comparing(
              one ->
                  new Ranked(
                      one.chunk(), one.rank() * (one.now() == here ? 1 + margin : 1), one.now()),
              HIGHEST_FIRST));
      List<Ranked> rest = new ArrayList<>();
      for (Ranked one : left) {
        // Idle data isn't moved up, nor down while nothing else asks for its room.
        if (free > 0 && (one.rank() > 0 || one.now() == pool)) {
          put(targets, one.chunk(), pool);
          free--;
        } else {
          rest.add(one);
        }
      }
      left = rest;
    }
    left.forEach(one -> put(targets, one.chunk(), slowest));
    return targets;
  }

  private static void put(Map<Long, Integer> targets, long chunk, int pool) {
    for (int i = 0; i < Extents.PARTS; i++) {
      targets.put(chunk * Extents.PARTS + i, pool);
    }
  }

  @Override
  public boolean tierByTier() {
    return true;
  }

  @Override
  public double overwrittenShare() {
    return overwritten;
  }

  /** Counts chunks by rule 4. */
  static final class Overwritten {
    private final Taxonomy taxonomy;
    private int written;
    private int overwritten;

    Overwritten(Taxonomy taxonomy) {
      this.taxonomy = taxonomy;
    }

    void add(Accesses accesses) {
      Taxonomy.Pattern pattern =
          taxonomy.writes(
              ChewPolicy.activity("", Extents.CHUNK, "", accesses, Duration.ofSeconds(1)));
      written += pattern == Taxonomy.Pattern.NONE ? 0 : 1;
      overwritten += pattern == Taxonomy.Pattern.OVERWRITTEN ? 1 : 0;
    }

    double share() {
      return written == 0 ? 0 : (double) overwritten / written;
    }
  }
}
