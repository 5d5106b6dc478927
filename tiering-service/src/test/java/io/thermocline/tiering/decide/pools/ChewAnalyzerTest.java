// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import static io.thermocline.tiering.classify.AccessClass.OVERWRITE;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_READ;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_WRITE;
import static io.thermocline.tiering.classify.AccessClass.SEQUENTIAL_READ;
import static io.thermocline.tiering.classify.ChunkSamples.CHUNK;
import static io.thermocline.tiering.classify.ChunkSamples.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.HierarchicalClassifier;
import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChewAnalyzerTest {
  private final PatternLibrary shipped;
  private final ChewAnalyzer fixed;

  ChewAnalyzerTest() throws ConfigException {
    shipped = ChewFile.read(Path.of("../conf/chew.yaml")).library();
    fixed = new ChewAnalyzer(new HierarchicalClassifier(shipped.withFit(Optional.empty())));
  }

  /** Room for so many chunks; the disk for all. */
  private static List<Pool> pools(int fastest, int second) {
    return List.of(
        new Pool("NVDIMM", fastest * CHUNK, 1e6, 5e9),
        new Pool("SSD", second * CHUNK, 1e4, 4e8),
        new Pool("DISK", 1000 * CHUNK, 300, 1.5e8));
  }

  private static Map<String, String> where(PoolAssignment assignment) {
    return assignment.placements().stream()
        .collect(
            Collectors.toMap(one -> one.classified().activity().chunk().id(), Placement::pool));
  }

  @Test
  void stopsAtTheFirstLevelWhereAllFit() {
    List<ChunkActivity> chunks =
        List.of(
            chunk("top", CHUNK, SEQUENTIAL_READ, 400),
            chunk("second", CHUNK, RANDOM_READ, 50),
            chunk("low", CHUNK, OVERWRITE, 5));
    PoolAssignment found = fixed.place(new PoolSnapshot(pools(1, 1), chunks, Map.of()));
    assertEquals(1, found.levels());
    assertTrue(found.complete());
    assertEquals(Map.of("top", "NVDIMM", "second", "SSD", "low", "DISK"), where(found));
    assertEquals(List.of(), found.notes());
  }

  @Test
  void asksTheNextLevelWhereOneDoesNotFit() {
    // Two of the top, room for one. As requests go r leads; as weights do w.
    List<ChunkActivity> chunks =
        List.of(chunk("r", CHUNK, RANDOM_READ, 400), chunk("w", CHUNK, RANDOM_WRITE, 390));
    PoolAssignment found = fixed.place(new PoolSnapshot(pools(1, 4), chunks, Map.of()));
    assertEquals(2, found.levels());
    // 400 is intensive read, for SSD; 780 is very intensive.
    assertEquals(Map.of("r", "SSD", "w", "NVDIMM"), where(found));
  }

  @Test
  void prefersOverwrittenToFullyRandomOnTheLastLevel() {
    List<ChunkActivity> chunks =
        List.of(
            chunk("fresh", CHUNK, RANDOM_WRITE, 210),
            chunk("again", CHUNK, OVERWRITE, 200),
            chunk("read", CHUNK, RANDOM_READ, 400),
            chunk("stream", CHUNK, SEQUENTIAL_READ, 420));
    PoolAssignment found = fixed.place(new PoolSnapshot(pools(1, 2), chunks, Map.of()));
    assertEquals(4, found.levels());
    assertEquals(
        Map.of("again", "NVDIMM", "fresh", "SSD", "read", "SSD", "stream", "DISK"), where(found));
    assertTrue(found.complete());
    String reason =
        found.placements().stream()
            .filter(one -> one.classified().activity().chunk().id().equals("fresh"))
            .findFirst()
            .orElseThrow()
            .reason();
    assertTrue(reason.startsWith("SSD suits its pattern too"), reason);
    assertTrue(reason.endsWith("; new"), reason);
    assertTrue(reason.contains("fully-random-write of level 4, weight 630.0 "), reason);
  }

  @Test
  void givesRoomThatIsLeftToWhatADeeperLevelSentDown() {
    List<ChunkActivity> chunks =
        List.of(
            chunk("fresh", CHUNK, RANDOM_WRITE, 210),
            chunk("again", CHUNK, OVERWRITE, 200),
            chunk("read", CHUNK, RANDOM_READ, 400),
            chunk("stream", CHUNK, SEQUENTIAL_READ, 420));
    PoolAssignment found = fixed.place(new PoolSnapshot(pools(1, 3), chunks, Map.of()));
    assertEquals("SSD", where(found).get("stream"));
    assertEquals(
        List.of(CHUNK, 3 * CHUNK, 0L),
        found.pools().stream().map(PoolAssignment.PoolUse::bytes).toList());
  }

  @Test
  void fillsGreedilyWhatNoPatternPlaced() {
    // All overwritten and intensive, for which the library names the fastest pool only.
    List<ChunkActivity> chunks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      chunks.add(chunk("c" + i, CHUNK, OVERWRITE, 200 + i));
    }
    PoolAssignment found = fixed.place(new PoolSnapshot(pools(2, 2), chunks, Map.of()));
    assertFalse(found.complete());
    assertEquals(
        Map.of("c4", "NVDIMM", "c3", "NVDIMM", "c2", "SSD", "c1", "SSD", "c0", "DISK"),
        where(found));
  }

  @Test
  void countsPerformanceToo() {
    // 6,000 requests a second of 10,000 each: room for both, performance for one.
    List<Pool> pools =
        List.of(
            new Pool("NVDIMM", 0, 1e6, 5e9),
            new Pool("SSD", 9 * CHUNK, 1e4, 4e8),
            new Pool("DISK", 1000 * CHUNK, 300, 1.5e8));
    List<ChunkActivity> chunks =
        List.of(chunk("a", CHUNK, RANDOM_READ, 6000), chunk("b", CHUNK, RANDOM_READ, 5000));
    assertEquals(
        Map.of("a", "SSD", "b", "DISK"),
        where(fixed.place(new PoolSnapshot(pools, chunks, Map.of()))));
    PoolStatus status = new PoolStatus(pools.get(1));
    status.add(chunks.get(0));
    assertEquals(0.6, status.use().load(), 1e-9);
    assertEquals(8 * CHUNK, status.free());
    assertTrue(status.admits(chunk("c", CHUNK, RANDOM_READ, 4000)));
    assertFalse(status.admits(chunk("d", CHUNK, RANDOM_READ, 4001)));
    // In sequence by bytes: 20,000 requests of 512 bytes are 2.6 % of the bandwidth.
    assertTrue(status.admits(chunk("e", CHUNK, SEQUENTIAL_READ, 20000)));
  }

  @Test
  void leavesWhatIsIdleWhileNobodyAsksForItsRoom() {
    List<ChunkActivity> chunks = List.of(chunk("idle", CHUNK), chunk("low", CHUNK, OVERWRITE, 5));
    PoolAssignment found =
        fixed.place(new PoolSnapshot(pools(0, 1), chunks, Map.of("idle", "SSD", "low", "DISK")));
    assertEquals(Map.of("idle", "SSD", "low", "DISK"), where(found));
    assertEquals(0, found.bytesToMove());
    List<ChunkActivity> busy = List.of(chunk("idle", CHUNK), chunk("second", CHUNK, OVERWRITE, 50));
    PoolAssignment then =
        fixed.place(new PoolSnapshot(pools(0, 1), busy, Map.of("idle", "SSD", "second", "DISK")));
    assertEquals(Map.of("idle", "DISK", "second", "SSD"), where(then));
    assertEquals(2 * CHUNK, then.bytesToMove());
  }

  /** What is in a pool counts half as much again there. */
  @Test
  void aChunkIsDisplacedByWhatIsHeavierByTheMargin() {
    for (double other : new double[] {1.49, 1.51}) {
      List<ChunkActivity> chunks =
          List.of(
              chunk("here", CHUNK, OVERWRITE, 400), chunk("there", CHUNK, OVERWRITE, 400 * other));
      PoolSnapshot snapshot =
          new PoolSnapshot(pools(1, 0), chunks, Map.of("here", "NVDIMM", "there", "DISK"));
      assertEquals(
          other < 1.5
              ? Map.of("here", "NVDIMM", "there", "DISK")
              : Map.of("here", "DISK", "there", "NVDIMM"),
          where(fixed.place(snapshot)));
    }
  }

  @Test
  void ofChunksThatAreAlikeTheFirstByNameGoesFirst() {
    List<ChunkActivity> chunks =
        List.of(chunk("b", CHUNK, OVERWRITE, 400), chunk("a", CHUNK, OVERWRITE, 400));
    assertEquals(
        Map.of("a", "NVDIMM", "b", "DISK"),
        where(fixed.place(new PoolSnapshot(pools(1, 0), chunks, Map.of()))));
  }

  /** No pool has the performance; the slowest one that has the room takes it. */
  @Test
  void theLargestFindsItsPlaceFirstWherePerformanceIsNowhere() {
    List<Pool> slow =
        List.of(
            new Pool("NVDIMM", 0, 1, 1),
            new Pool("SSD", CHUNK, 1e-3, 1),
            new Pool("DISK", 2 * CHUNK, 1e-3, 1));
    List<ChunkActivity> chunks =
        List.of(chunk("a", CHUNK, RANDOM_READ, 1), chunk("b", 2 * CHUNK, RANDOM_READ, 1));
    assertEquals(
        Map.of("a", "SSD", "b", "DISK"),
        where(fixed.place(new PoolSnapshot(slow, chunks, Map.of()))));
  }

  /** Of a tenth of the requests, and of a hundredth of the bytes, a second. */
  @Test
  void countsRequestsWhereTheyAreKnownToBeRandomAndElseBytes() {
    ChunkActivity traced = chunk("c", CHUNK, OVERWRITE, 100);
    double bytes = traced.accesses().bytes(OVERWRITE) / traced.seconds();
    Pool pool = new Pool("SSD", 2 * CHUNK, 1_000, 100 * bytes);
    Map<ChunkActivity.Source, Double> loads =
        Map.of(
            ChunkActivity.Source.BLOCK_TRACE, 0.1,
            ChunkActivity.Source.HDFS, 0.01,
            ChunkActivity.Source.HDFS_AUDIT_ONLY, 0.01);
    loads.forEach(
        (source, load) -> {
          ChunkActivity chunk =
              new ChunkActivity(traced.chunk(), traced.accesses(), source, traced.window());
          PoolStatus status = new PoolStatus(pool);
          status.add(chunk);
          status.add(chunk);
          assertEquals(2 * load, status.use().load(), 1e-9, source::toString);
          status.remove(chunk);
          assertEquals(load, status.use().load(), 1e-9, source::toString);
          assertEquals(CHUNK, status.use().bytes());
        });
    ChunkActivity read = chunk("c", CHUNK, RANDOM_READ, 100);
    ChunkActivity unknown =
        new ChunkActivity(
            read.chunk(), read.accesses(), ChunkActivity.Source.HDFS_AUDIT_ONLY, read.window());
    PoolStatus status = new PoolStatus(pool);
    status.add(unknown);
    assertEquals(0.01, status.use().load(), 1e-9, "files are taken to be read through");
  }

  @Test
  void fitsThresholdsToTheSpaceOfPools() {
    // Of ten chunks far below 300 requests a second the busiest get the fast pools all the same.
    List<ChunkActivity> chunks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      chunks.add(chunk("c" + i, CHUNK, RANDOM_READ, 0.5 + 0.1 * i));
    }
    PoolSnapshot snapshot = new PoolSnapshot(pools(1, 4), chunks, Map.of());
    assertTrue(
        fixed.place(snapshot).placements().stream().allMatch(one -> one.pool().equals("DISK")));
    ChewAnalyzer fitted =
        new ChewAnalyzer(
            new HierarchicalClassifier(
                shipped.withFit(
                    Optional.of(
                        new PatternLibrary.Fit(
                            Map.of(
                                "NVDIMM", new PatternLibrary.Anchor(300, 1),
                                "SSD", new PatternLibrary.Anchor(10, 1)))))));
    PoolAssignment found = fitted.place(snapshot);
    assertEquals(1, found.levels());
    Map<String, String> where = where(found);
    assertEquals("NVDIMM", where.get("c9"));
    for (int i = 5; i < 9; i++) {
      assertEquals("SSD", where.get("c" + i));
    }
    assertEquals("DISK", where.get("c4"));
  }

  @Test
  void saysWhatItLeftOutOnHdfs() {
    ChunkActivity block = chunk("/f", CHUNK, RANDOM_READ, 400);
    ChunkActivity file =
        new ChunkActivity(
            block.chunk(), block.accesses(), ChunkActivity.Source.HDFS_AUDIT_ONLY, block.window());
    List<String> notes =
        fixed.place(new PoolSnapshot(pools(0, 0), List.of(file), Map.of())).notes();
    assertEquals(2, notes.size());
    assertTrue(notes.get(0).startsWith("RANDOMNESS was left out for 1 chunks"), notes.get(0));
    assertTrue(notes.get(1).startsWith("the branch of random writes was skipped"), notes.get(1));
  }

  @Test
  void refusesWhatDoesNotFitTogether() {
    List<ChunkActivity> one = List.of(chunk("c", CHUNK, RANDOM_READ, 1));
    IllegalArgumentException other =
        assertThrows(
            IllegalArgumentException.class,
            () -> fixed.place(new PoolSnapshot(pools(1, 1).subList(0, 2), one, Map.of())));
    assertTrue(other.getMessage().contains("[NVDIMM, SSD, DISK]"), other.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> fixed.place(new PoolSnapshot(pools(1, 1), one, Map.of("c", "TAPE"))));
    List<Pool> small =
        List.of(
            new Pool("NVDIMM", 0, 1, 1),
            new Pool("SSD", 0, 1, 1),
            new Pool("DISK", CHUNK - 1, 1, 1));
    IllegalArgumentException full =
        assertThrows(
            IllegalArgumentException.class,
            () -> fixed.place(new PoolSnapshot(small, one, Map.of())));
    assertEquals(
        "no pool has room for chunk c of %d bytes; free bytes: [NVDIMM 0, SSD 0, DISK %d]; give the slowest pool room for all"
            .formatted(CHUNK, CHUNK - 1),
        full.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> new PoolSnapshot(small, List.of(one.get(0), one.get(0)), Map.of()));
  }
}
