// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which lever a file gets, and why. */
class LeverRuleTest {

  private static final String[] ON_DISK = {"n1-DISK", "n2-DISK", "n3-DISK"};
  private static final Map<io.thermocline.placement.model.StorageType, TierSpeed> SPEEDS =
      Map.of(SSD, new TierSpeed(50, 40, 0), DISK, new TierSpeed(10, 10, 0.1));
  private static final LeverLimits.Copies COPIES = new LeverLimits.Copies(6);

  private static final Hold DISK_ONLY = Hold.NONE.between(null, new Hold.Bound(DISK, "a rule"));

  private final Scene scene = new Scene().nodes(6, Map.of(DISK, 1_000_000L, SSD, 10L));
  private final List<HotFile> files = new ArrayList<>();
  private LeverLimits limits = new LeverLimits(cache(500), COPIES);
  private Map<String, Pulled.Cached> cached = Map.of();
  private Map<String, Pulled.Raised> raised = Map.of();
  private Function<String, List<Long>> recent = path -> List.of();
  private Function<String, Hold> holds = path -> Hold.NONE;
  private long memory = 150;
  private List<Cap> caps = List.of();
  private ReadShares reads = ReadShares.fastest();

  @Test
  void nothingIsPulledUnlessTurnedOn() {
    file("/hot", 100, 1000);
    recent = crowds();
    limits = LeverLimits.NONE;

    // It doesn't fit on SSD.
    assertEquals(
        List.of("PROMOTED /hot S D D"),
        said(new Scene().nodes(6, Map.of(DISK, 1_000_000L, SSD, 1000L))));
    assertEquals(List.of(), levers(explain("/hot")));
  }

  @Test
  void theCacheIsTakenWhereItPaysBeyondAFastCopy() {
    file("/hot", 40, 1000);
    file("/warm", 40, 4);

    assertEquals(List.of("PROMOTED /warm S D D", "CACHED /hot D D D, 1 in memory"), said());
    Explanation hot = explain("/hot");
    assertTrue(levers(hot).get(0).startsWith("fast copy on SSD: saves "), hot::toString);
    assertTrue(levers(hot).get(1).startsWith("cache: saves "), hot::toString);
    assertTrue(levers(hot).get(1).endsWith(", 40 bytes in all"), hot::toString);
    assertTrue(
        levers(hot).get(2).startsWith("more replicas: only of replicated files whose fastest"),
        hot::toString);
    assertTrue(hot.lines().contains("lever: " + levers(hot).get(0)), hot::toString);
    assertEquals("cache: read less than 500.0 times", levers(explain("/warm")).get(1));
  }

  @Test
  void whatHasNoRoomInMemoryGetsTheOtherLever() {
    file("/hotter", 140, 4000);
    file("/hot", 140, 3000);
    recent = crowds();

    assertEquals(
        List.of("CACHED /hotter D D D, 1 in memory", "MORE_COPIES /hot D D D, 6 replicas"), said());
    assertTrue(
        levers(explain("/hot")).contains("cache: 10 bytes of memory are left"),
        () -> explain("/hot").toString());
  }

  @Test
  void hotterDataTakesTheMemoryByTheMarginOnly() {
    file("/cached", 140, 1000);
    file("/other", 140, 1100);
    cached = Map.of("/cached", new Pulled.Cached(1, 140));
    limits = new LeverLimits(cache(0), null);

    assertEquals(List.of(), said());

    files.clear();
    file("/cached", 140, 1000);
    file("/other", 140, 1300);
    assertEquals(List.of("UNCACHED /cached D D D", "CACHED /other D D D, 1 in memory"), said());
  }

  @Test
  void moreReplicasOnlyWhileReadersWaitForEachOther() {
    limits = new LeverLimits(null, COPIES);
    file("/one-by-one", 200, 100);
    file("/once", 200, 100);
    file("/crowds", 200, 100);
    recent =
        path ->
            switch (path) {
              case "/crowds" -> crowds().apply(path);
              // All at once, and never again.
              case "/once" -> List.of(9L, 8L, 7L, 6L, 5L, 4L, 3L);
              default -> LongStream.range(0, 12).mapToObj(i -> (12 - i) * 1_000_000).toList();
            };

    assertEquals(List.of("MORE_COPIES /crowds D D D, 4 replicas"), said());
    assertTrue(
        levers(explain("/one-by-one")).stream().anyMatch(l -> l.endsWith("not needed")),
        () -> explain("/one-by-one").toString());
  }

  @Test
  void moreReplicasBringNothingToReadersWhoAllTakeTheSameOne() {
    limits = new LeverLimits(null, COPIES);
    file("/crowds", 200, 100);
    recent = crowds();
    Readers onOneHost = new Readers(Map.of("n1", 1.0), Map.of("/r0", 1.0), false);
    Map<String, String> racks =
        Map.of("n1", "/r0", "n2", "/r0", "n3", "/r1", "n4", "/r1", "n5", "/r2", "n6", "/r2");
    reads = new ReadShares(ReadOrder.NEAREST, onOneHost, racks);

    assertEquals(List.of(), said());
    assertTrue(
        levers(explain("/crowds")).stream()
            .anyMatch(line -> line.contains("the busiest 100 %") && line.endsWith("not worth it")),
        () -> explain("/crowds").toString());
  }

  @Test
  void aCachedCopyOfSeveralServesItsShareOfTheReads() {
    // 40 bytes: 4.1 s from DISK, 0.1 s from memory, and 4.1 s to read them once into the cache.
    limits = new LeverLimits(cache(1), null);
    holds = path -> path.equals("/disk") ? DISK_ONLY : Hold.NONE;
    file("/disk", 40, 2);
    assertEquals(List.of(), said());

    files.clear();
    file("/disk", 40, 2 * 3);
    assertEquals(List.of("CACHED /disk D D D, 1 in memory"), said());
  }

  @Test
  void anErasureCodedFileOnlyMovesAndAsAWhole() {
    List<FileView.Block> blocks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      FileView.Block made = scene.file("/made", 10, "n" + (i + 1) + "-DISK").blocks().get(0);
      blocks.add(new FileView.Block("BP-1", -160 + i, 1, 10, made.replicas()));
    }
    FileView.Coding coding = new FileView.Coding(3, 2);
    files.add(new HotFile(new FileView("/c", 30, 1, 0, blocks, "", coding), 1000));
    recent = crowds();

    assertEquals(List.of("PROMOTED /c S"), said());
    assertEquals(
        "ALL_SSD", decider().decide(files, situation(scene)).get(0).target().storagePolicy());
    assertEquals(
        List.of(
            "cache: HDFS caches no erasure-coded files",
            "more replicas: only of replicated files whose fastest copy is on DISK"),
        levers(explain("/c")).subList(1, 3));
  }

  @Test
  void moreReplicasKeepToCaps() {
    limits = new LeverLimits(null, COPIES);
    file("/crowds", 200, 100);
    file("/capped/f", 200, 110);
    recent = crowds();
    caps = List.of(new Cap(new Cap.Scope.Below("/capped"), DISK, 700, Cap.COUNTED));

    assertEquals(List.of("MORE_COPIES /crowds D D D, 4 replicas"), said());
    assertTrue(
        levers(explain("/capped/f")).contains("more replicas: " + caps.get(0).reason()),
        () -> explain("/capped/f").toString());
  }

  @Test
  void goesBackToAsManyReplicasAsThereWere() {
    files.add(
        new HotFile(
            scene.file("/f", 200, "n1-DISK", "n2-DISK", "n3-DISK", "n4-DISK", "n5-DISK"), 100));
    raised = Map.of("/f", new Pulled.Raised(3, 5));

    assertEquals(List.of("FEWER_COPIES /f D D D D D, 3 replicas"), said());
    recent = crowds();
    assertEquals(List.of(), said());
    recent = path -> List.of();
    holds = path -> new Hold(true, false, "young");
    assertEquals(List.of(), said());
  }

  @Test
  void copiesStayWhileAnotherLeverIsUp() {
    file("/cached", 40, 1000);
    cached = Map.of("/cached", new Pulled.Cached(1, 40));

    assertEquals(List.of(), said());
    assertTrue(
        explain("/cached").lines().stream().anyMatch(line -> line.startsWith("lever: cached: ")));
  }

  private static LeverLimits.Cache cache(double threshold) {
    return new LeverLimits.Cache(1000, 1, threshold, new TierSpeed(400, 1, 0));
  }

  /** Two crowds of six readers. */
  private static Function<String, List<Long>> crowds() {
    return path ->
        LongStream.range(0, 12).mapToObj(i -> 1_000_000_000 - i / 6 * 1_000_000 - i % 6).toList();
  }

  private void file(String path, long length, double heat) {
    files.add(new HotFile(scene.file(path, length, ON_DISK), heat));
  }

  private Situation situation(Scene of) {
    return new Situation(
        of.cluster(), Map.of(), caps, holds, new Pulled(cached, raised, memory, recent), reads);
  }

  private TierDecider decider() {
    return new TierDecider(
        new Tiering(
            Map.of(SSD, new TierLimits(0.9, 0.95, 2), DISK, new TierLimits(0.9, 0.95, 1)),
            0.2,
            Promotion.ONE_COPY,
            Written.BY_POLICY,
            new Gate(Duration.ofHours(1), 1, ExpectedReads.steady(Duration.ofHours(1)), SPEEDS),
            limits));
  }

  private List<String> said() {
    return said(scene);
  }

  private List<String> said(Scene of) {
    return decider().decide(files, situation(of)).stream()
        .map(
            decision ->
                decision.cause()
                    + " "
                    + decision.hot().file().path()
                    + " "
                    + decision
                        .target()
                        .toString()
                        .replaceAll(" \\([A-Z_]+\\)", "")
                        .replace("DISK", "D")
                        .replace("SSD", "S"))
        .toList();
  }

  /** What was said of levers. */
  private static List<String> levers(Explanation explanation) {
    return explanation.details().stream().map(line -> line.substring("lever: ".length())).toList();
  }

  private Explanation explain(String path) {
    return decider().explain(path, files, situation(scene));
  }
}
