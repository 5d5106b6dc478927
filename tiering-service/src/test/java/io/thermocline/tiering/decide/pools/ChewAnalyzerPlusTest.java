// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import static io.thermocline.tiering.classify.AccessClass.OVERWRITE;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_READ;
import static io.thermocline.tiering.classify.ChunkSamples.CHUNK;
import static io.thermocline.tiering.classify.ChunkSamples.accesses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.classify.Accesses;
import io.thermocline.tiering.classify.Chunk;
import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.HierarchicalClassifier;
import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.config.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChewAnalyzerPlusTest {
  private static final long PART = CHUNK / 4;
  private static final Duration WINDOW = Duration.ofSeconds(100);
  private final ChewAnalyzer plain;
  private final ChewAnalyzerPlus plus;

  ChewAnalyzerPlusTest() throws ConfigException {
    plain =
        new ChewAnalyzer(
            new HierarchicalClassifier(
                ChewFile.read(Path.of("../conf/chew.yaml")).library().withFit(Optional.empty())));
    plus = new ChewAnalyzerPlus(plain, new SplitLimits(PART, 4, 3));
  }

  /** Two chunks, each busy in one quarter, and room for one in the fastest pool. */
  private static final Map<String, List<Accesses>> QUARTERS =
      Map.of(
          "a", quarters(1, accesses(OVERWRITE, 400)),
          "b", quarters(3, accesses(OVERWRITE, 390)));

  private static List<Accesses> quarters(int busy, Accesses accesses) {
    List<Accesses> quarters = new ArrayList<>(List.of(Accesses.NONE, Accesses.NONE));
    quarters.addAll(List.of(Accesses.NONE, Accesses.NONE));
    quarters.set(busy, accesses);
    return quarters;
  }

  private static ChunkActivity activity(String id, long bytes, String whole, Accesses accesses) {
    return new ChunkActivity(
        new Chunk(id, Chunk.Kind.EXTENT, bytes, whole),
        accesses,
        ChunkActivity.Source.BLOCK_TRACE,
        WINDOW);
  }

  private static PoolSnapshot snapshot(
      Map<String, List<Accesses>> quarters, Map<String, String> now) {
    List<ChunkActivity> chunks = new ArrayList<>();
    new TreeMap<>(quarters)
        .forEach(
            (id, parts) ->
                chunks.add(
                    activity(id, CHUNK, "", parts.stream().reduce(Accesses.NONE, Accesses::plus))));
    return new PoolSnapshot(
        List.of(
            new Pool("NVDIMM", CHUNK, 1e6, 5e9),
            new Pool("SSD", 0, 1e4, 4e8),
            new Pool("DISK", 1000 * CHUNK, 1e6, 5e9)),
        chunks,
        now);
  }

  private static ChunkParts parts(Map<String, List<Accesses>> quarters) {
    return (whole, least, most) -> {
      List<ChunkActivity> parts = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        String id = whole.chunk().id();
        parts.add(activity(id + "/" + i, PART, id, quarters.get(id).get(i)));
      }
      return new ChunkParts.Split(parts, "");
    };
  }

  private static Map<String, String> where(PoolAssignment assignment) {
    Map<String, String> where = new TreeMap<>();
    assignment
        .placements()
        .forEach(one -> where.put(one.classified().activity().chunk().id(), one.pool()));
    return where;
  }

  @Test
  void splitsWhatCompetesForAScarcePool() {
    PoolSnapshot snapshot = snapshot(QUARTERS, Map.of());
    Map<String, String> whole = where(plain.place(snapshot));
    assertEquals(Map.of("a", "NVDIMM", "b", "DISK"), whole);
    ChewAnalyzerPlus.Refined refined = plus.place(snapshot, parts(QUARTERS), Granularity.WHOLE);
    Map<String, String> split = where(refined.assignment());
    assertEquals(8, split.size());
    // Both busy quarters fit where one chunk did.
    assertEquals("NVDIMM", split.get("a/1"));
    assertEquals("NVDIMM", split.get("b/3"));
    assertEquals("DISK", split.get("b/0"));
    assertEquals(Map.of("a", 0, "b", 0), refined.next().split());
  }

  @Test
  void leavesWholeWhatFits() {
    Map<String, List<Accesses>> one = Map.of("a", QUARTERS.get("a"));
    ChewAnalyzerPlus.Refined refined =
        plus.place(snapshot(one, Map.of()), parts(one), Granularity.WHOLE);
    assertEquals(Map.of("a", "NVDIMM"), where(refined.assignment()));
    assertEquals(Granularity.WHOLE, refined.next());
  }

  @Test
  void putsTogetherWhatStayedAlikeAndDoesNotSplitItAgain() {
    // Now both are idle all over: all parts are alike, in one pool.
    Map<String, List<Accesses>> idle =
        Map.of("a", quarters(0, Accesses.NONE), "b", quarters(0, Accesses.NONE));
    ChewAnalyzerPlus.Refined refined =
        plus.place(snapshot(QUARTERS, Map.of()), parts(QUARTERS), Granularity.WHOLE);
    Map<String, String> now = new HashMap<>();
    for (String id : List.of("a", "b")) {
      for (int i = 0; i < 4; i++) {
        now.put(id + "/" + i, "DISK");
      }
    }
    for (int epoch = 1; epoch < 3; epoch++) {
      refined = plus.place(snapshot(idle, now), parts(idle), refined.next());
      assertEquals(Map.of("a", epoch, "b", epoch), refined.next().split());
      assertEquals(8, refined.assignment().placements().size());
    }
    refined = plus.place(snapshot(idle, now), parts(idle), refined.next());
    assertEquals(Map.of(), refined.next().split());
    assertEquals(Map.of("a", "low", "b", "low"), refined.next().merged());
    now = Map.of("a", "DISK", "b", "DISK");
    refined = plus.place(snapshot(idle, now), parts(idle), refined.next());
    assertEquals(Map.of("a", "DISK", "b", "DISK"), where(refined.assignment()));
    assertEquals(Map.of("a", "low", "b", "low"), refined.next().merged());
    // With another pattern it is.
    refined = plus.place(snapshot(QUARTERS, now), parts(QUARTERS), refined.next());
    assertEquals(8, refined.assignment().placements().size());
  }

  @Test
  void saysWhySomethingWasNotSplit() {
    ChewAnalyzerPlus.Refined refined =
        plus.place(
            snapshot(QUARTERS, Map.of()),
            (whole, least, most) -> ChunkParts.Split.none("nobody knows their parts"),
            Granularity.WHOLE);
    assertEquals(
        List.of("2 chunks were not split: nobody knows their parts"), refined.assignment().notes());
  }

  @Test
  void refusesPartsBelowTheLimit() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            plus.place(
                snapshot(QUARTERS, Map.of()),
                (whole, least, most) ->
                    new ChunkParts.Split(
                        List.of(
                            activity("x", PART - 1, whole.chunk().id(), Accesses.NONE),
                            activity("y", CHUNK - PART + 1, whole.chunk().id(), Accesses.NONE)),
                        ""),
                Granularity.WHOLE));
  }

  @Test
  void joinsBlocksThatAreTooSmallForAPart() {
    List<ChunkActivity> blocks = new ArrayList<>();
    long[] sizes = {PART, PART, 2 * PART, PART / 2};
    long sum = 0;
    for (int i = 0; i < sizes.length; i++) {
      blocks.add(activity("blk" + i, sizes[i], "/f", accesses(RANDOM_READ, i)));
      sum += sizes[i];
    }
    ChunkActivity file =
        new ChunkActivity(
            new Chunk("/f", Chunk.Kind.FILE, sum, ""),
            accesses(RANDOM_READ, 6),
            ChunkActivity.Source.HDFS,
            WINDOW);
    ChunkParts.Split split =
        new BlockParts(BlockParts.Plugin.LOADED, path -> blocks).split(file, PART, 4);
    assertEquals(
        List.of(PART, PART, 2 * PART + PART / 2),
        split.parts().stream().map(part -> part.chunk().bytes()).toList());
    assertEquals(accesses(RANDOM_READ, 5), split.parts().get(2).accesses());
    assertTrue(
        new BlockParts(BlockParts.Plugin.ABSENT, path -> blocks)
            .split(file, PART, 4)
            .why()
            .contains("splitting stops at files"));
    assertTrue(
        new BlockParts(BlockParts.Plugin.LOADED, path -> List.of())
            .split(file, PART, 4)
            .why()
            .contains("clienttrace"));
  }

  @Test
  void splitsFilesAlone() {
    BlockParts parts = new BlockParts(BlockParts.Plugin.LOADED, path -> List.of());
    Map<Chunk.Kind, String> why =
        Map.of(
            Chunk.Kind.GROUP, "small files of a directory are placed together",
            Chunk.Kind.BLOCK, "they are blocks");
    why.forEach(
        (kind, words) -> {
          ChunkActivity chunk =
              new ChunkActivity(
                  new Chunk("/f", kind, 2 * PART, kind == Chunk.Kind.BLOCK ? "/g" : ""),
                  Accesses.NONE,
                  ChunkActivity.Source.HDFS,
                  WINDOW);
          assertEquals(ChunkParts.Split.none(words), parts.split(chunk, PART, 2));
        });
  }

  /** Of three blocks the last two make a part, so that none is too small. */
  @Test
  void twoPartsAreTheFewest() {
    for (long last : new long[] {PART / 2, PART / 2 - 1}) {
      List<ChunkActivity> blocks =
          List.of(
              activity("b0", PART, "/f", Accesses.NONE),
              activity("b1", PART / 2, "/f", Accesses.NONE),
              activity("b2", last, "/f", Accesses.NONE));
      ChunkActivity file =
          new ChunkActivity(
              new Chunk("/f", Chunk.Kind.FILE, PART + PART / 2 + last, ""),
              Accesses.NONE,
              ChunkActivity.Source.HDFS,
              WINDOW);
      ChunkParts.Split split =
          new BlockParts(BlockParts.Plugin.LOADED, path -> blocks).split(file, PART, 4);
      assertEquals(
          last == PART / 2 ? List.of(PART, PART) : List.of(),
          split.parts().stream().map(part -> part.chunk().bytes()).toList());
      assertEquals(
          last == PART / 2 ? "" : "their blocks are too few for two parts of the least size",
          split.why());
    }
  }
}
