// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.classify.AccessClass;
import io.thermocline.tiering.classify.Accesses;
import io.thermocline.tiering.classify.Chunk;
import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.HierarchicalClassifier;
import io.thermocline.tiering.config.ChewConfig;
import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.config.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What must hold for any chunks in any pools, with thresholds as they stand and fitted. */
class PoolPropertiesTest {

  private static final long SEED = Long.getLong("test.seed", 0);
  private static final int SCENES = 200;
  private static final int SPLIT_SCENES = 40;
  private static final long LEAST = 64;
  private static final List<String> POOLS = List.of("NVDIMM", "SSD", "DISK");
  private final ChewConfig config;

  PoolPropertiesTest() throws ConfigException {
    config = ChewFile.read(Path.of("../conf/chew.yaml"));
  }

  private ChewAnalyzer analyzer(long seed) {
    return new ChewAnalyzer(
        new HierarchicalClassifier(
            seed % 2 == 0 ? config.library() : config.library().withFit(Optional.empty())));
  }

  private static PoolSnapshot scene(Random random) {
    List<ChunkActivity> chunks = new ArrayList<>();
    Map<String, String> now = new HashMap<>();
    long sum = 0;
    int count = 1 + random.nextInt(60);
    ChunkActivity.Source[] sources = ChunkActivity.Source.values();
    ChunkActivity.Source source = sources[random.nextInt(sources.length)];
    for (int i = 0; i < count; i++) {
      long bytes = 1 + random.nextInt(1000);
      sum += bytes;
      chunks.add(activity("c" + i, bytes, "", accesses(random, source), source));
      if (random.nextBoolean()) {
        now.put("c" + i, POOLS.get(random.nextInt(3)));
      }
    }
    List<Pool> pools =
        List.of(
            new Pool("NVDIMM", (long) (sum * 0.3 * random.nextDouble()), 1e5, 1e8),
            new Pool("SSD", (long) (sum * random.nextDouble()), 1e4, 1e7),
            new Pool("DISK", sum, 300, 1e6));
    return new PoolSnapshot(pools, chunks, now);
  }

  private static Accesses accesses(Random random, ChunkActivity.Source source) {
    Accesses accesses = Accesses.NONE;
    for (AccessClass kind : AccessClass.values()) {
      boolean possible =
          (kind != AccessClass.RANDOM_WRITE || source.hasRandomWrites())
              && (kind != AccessClass.SEQUENTIAL_READ || source.sequentialityKnown());
      if (possible && random.nextInt(3) == 0) {
        long requests = (long) Math.exp(8 * random.nextDouble());
        accesses = accesses.plus(kind, requests, requests * (1 + random.nextInt(100_000)));
      }
    }
    return accesses;
  }

  private static ChunkActivity activity(
      String id, long bytes, String whole, Accesses accesses, ChunkActivity.Source source) {
    return new ChunkActivity(
        new Chunk(id, Chunk.Kind.EXTENT, bytes, whole), accesses, source, Duration.ofSeconds(60));
  }

  /** Halves, with what was done in one of them. */
  private static ChunkParts.Split halves(ChunkActivity whole, long least, int most) {
    Chunk chunk = whole.chunk();
    long half = chunk.bytes() / 2;
    if (half < least) {
      return ChunkParts.Split.none("too small");
    }
    return new ChunkParts.Split(
        List.of(
            activity(chunk.id() + "/0", half, chunk.id(), whole.accesses(), whole.source()),
            activity(
                chunk.id() + "/1",
                chunk.bytes() - half,
                chunk.id(),
                Accesses.NONE,
                whole.source())),
        "");
  }

  private static void check(PoolAssignment found, PoolSnapshot snapshot, String seed) {
    Map<String, Long> used = new HashMap<>();
    Set<String> seen = new HashSet<>();
    long bytes = 0;
    for (Placement one : found.placements()) {
      Chunk chunk = one.classified().activity().chunk();
      assertTrue(seen.add(chunk.id()), seed + ": " + chunk + " twice");
      used.merge(one.pool(), chunk.bytes(), Long::sum);
      bytes += chunk.bytes();
      assertTrue(one.reason().contains(one.classified().group().name()), seed);
    }
    long all = snapshot.chunks().stream().mapToLong(one -> one.chunk().bytes()).sum();
    assertEquals(all, bytes, seed);
    for (Pool pool : snapshot.pools()) {
      assertTrue(used.getOrDefault(pool.name(), 0L) <= pool.bytes(), seed + ": " + pool);
    }
  }

  @Test
  void placesEachChunkOnceAndNoPoolAboveItsCapacity() {
    int levels = 0;
    int greedy = 0;
    for (long seed = SEED; seed < SEED + SCENES; seed++) {
      PoolSnapshot snapshot = scene(new Random(seed));
      PoolAssignment found = analyzer(seed).place(snapshot);
      check(found, snapshot, "seed " + seed);
      levels += found.levels();
      greedy += found.complete() ? 0 : 1;
    }
    // Neither all at the first level nor none.
    assertTrue(levels > 1.5 * SCENES && levels < 4 * SCENES, levels + " levels");
    assertTrue(greedy > 0 && greedy < SCENES, greedy + " greedy");
  }

  @Test
  void doesNotDependOnTheOrderOfChunks() {
    for (long seed = SEED; seed < SEED + SCENES; seed++) {
      PoolSnapshot snapshot = scene(new Random(seed));
      List<ChunkActivity> shuffled = new ArrayList<>(snapshot.chunks());
      Collections.shuffle(shuffled, new Random(seed + 1));
      assertEquals(
          where(analyzer(seed).place(snapshot)),
          where(analyzer(seed).place(snapshot.withChunks(shuffled))),
          "seed " + seed);
    }
  }

  private static Map<String, String> where(PoolAssignment found) {
    Map<String, String> where = new HashMap<>();
    found
        .placements()
        .forEach(one -> where.put(one.classified().activity().chunk().id(), one.pool()));
    return where;
  }

  @Test
  void splitsNeverBelowTheLimitAndLosesNothing() {
    int split = 0;
    for (long seed = SEED; seed < SEED + SPLIT_SCENES; seed++) {
      PoolSnapshot snapshot = scene(new Random(seed));
      ChewAnalyzerPlus plus = new ChewAnalyzerPlus(analyzer(seed), new SplitLimits(LEAST, 2, 2));
      Granularity granularity = Granularity.WHOLE;
      for (int epoch = 0; epoch < 4; epoch++) {
        ChewAnalyzerPlus.Refined refined =
            plus.place(snapshot, PoolPropertiesTest::halves, granularity);
        check(refined.assignment(), snapshot, "seed " + seed + ", epoch " + epoch);
        for (Placement one : refined.assignment().placements()) {
          Chunk chunk = one.classified().activity().chunk();
          assertTrue(chunk.whole().isEmpty() || chunk.bytes() >= LEAST, chunk.toString());
          split += chunk.whole().isEmpty() ? 0 : 1;
        }
        granularity = refined.next();
      }
    }
    assertTrue(split > 10 * SPLIT_SCENES, split + " parts");
  }
}
