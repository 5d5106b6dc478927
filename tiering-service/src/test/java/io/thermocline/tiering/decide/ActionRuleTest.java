// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import org.junit.jupiter.api.function.Executable;

/** Which action a file gets, and why. */
class ActionRuleTest {

  private static final String[] ON_DISK = {"n1-DISK", "n2-DISK", "n3-DISK"};
  private static final Map<io.thermocline.placement.model.StorageType, TierSpeed> SPEEDS =
      Map.of(
          SSD,
          new TierSpeed(50, 40, 0),
          DISK,
          new TierSpeed(10, 10, 0.1),
          ARCHIVE,
          new TierSpeed(5, 5, 0.1));
  private static final ActionLimits.Copies COPIES = new ActionLimits.Copies(6);

  private static final Hold DISK_ONLY = Hold.NONE.between(null, new Hold.Bound(DISK, "a rule"));

  private final Scene scene = new Scene().nodes(6, Map.of(DISK, 1_000_000L, SSD, 10L));
  private final List<HotFile> files = new ArrayList<>();
  private ActionLimits limits = new ActionLimits(cache(500), COPIES);
  private Map<String, CurrentActions.Cached> cached = Map.of();
  private Map<String, CurrentActions.Raised> raised = Map.of();
  private Function<String, List<Long>> recent = path -> List.of();
  private Function<String, Hold> holds = path -> Hold.NONE;
  private long memory = 150;
  private List<Cap> caps = List.of();
  private ReadShares reads = ReadShares.fastest();

  @Test
  void nothingIsPulledUnlessTurnedOn() {
    file("/hot", 100, 1000);
    recent = crowds();
    limits = ActionLimits.NONE;

    // It doesn't fit on SSD.
    assertEquals(
        List.of("PROMOTED /hot S D D"),
        said(new Scene().nodes(6, Map.of(DISK, 1_000_000L, SSD, 1000L))));
    assertEquals(List.of(), actions(explain("/hot")));
  }

  @Test
  void theCacheIsTakenWhereItPaysBeyondAFastCopy() {
    file("/hot", 40, 1000);
    file("/warm", 40, 4);

    assertEquals(List.of("PROMOTED /warm S D D", "CACHED /hot D D D, 1 in memory"), said());
    Explanation hot = explain("/hot");
    assertTrue(actions(hot).get(0).startsWith("fast copy on SSD: saves "), hot::toString);
    assertTrue(actions(hot).get(1).startsWith("cache: saves "), hot::toString);
    assertTrue(actions(hot).get(1).endsWith(", 40 bytes in all"), hot::toString);
    assertTrue(
        actions(hot).get(2).startsWith("more replicas: only of replicated files whose fastest"),
        hot::toString);
    assertTrue(hot.lines().contains("action: " + actions(hot).get(0)), hot::toString);
    assertEquals("cache: read less than 500.0 times", actions(explain("/warm")).get(1));
  }

  @Test
  void whatHasNoRoomInMemoryGetsTheOtherAction() {
    file("/hotter", 140, 4000);
    file("/hot", 140, 3000);
    recent = crowds();

    assertEquals(
        List.of("CACHED /hotter D D D, 1 in memory", "MORE_COPIES /hot D D D, 6 replicas"), said());
    assertTrue(
        actions(explain("/hot")).contains("cache: 10 bytes of memory are left"),
        () -> explain("/hot").toString());
  }

  @Test
  void hotterDataTakesTheMemoryByTheMarginOnly() {
    file("/cached", 140, 1000);
    file("/other", 140, 1100);
    cached = Map.of("/cached", new CurrentActions.Cached(1, 140));
    limits = new ActionLimits(cache(0), null);

    assertEquals(List.of(), said());

    files.clear();
    file("/cached", 140, 1000);
    file("/other", 140, 1300);
    assertEquals(List.of("UNCACHED /cached D D D", "CACHED /other D D D, 1 in memory"), said());
  }

  @Test
  void moreReplicasOnlyWhileReadersWaitForEachOther() {
    limits = new ActionLimits(null, COPIES);
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
        actions(explain("/one-by-one")).stream().anyMatch(l -> l.endsWith("not needed")),
        () -> explain("/one-by-one").toString());
  }

  @Test
  void moreReplicasBringNothingToReadersWhoAllTakeTheSameOne() {
    limits = new ActionLimits(null, COPIES);
    file("/crowds", 200, 100);
    recent = crowds();
    Readers onOneHost = new Readers(Map.of("n1", 1.0), Map.of("/r0", 1.0), false);
    Map<String, String> racks =
        Map.of("n1", "/r0", "n2", "/r0", "n3", "/r1", "n4", "/r1", "n5", "/r2", "n6", "/r2");
    reads = new ReadShares(ReadOrder.NEAREST, onOneHost, racks);

    assertEquals(List.of(), said());
    assertTrue(
        actions(explain("/crowds")).stream()
            .anyMatch(line -> line.contains("the busiest 100 %") && line.endsWith("not worth it")),
        () -> explain("/crowds").toString());
  }

  @Test
  void aCachedCopyOfSeveralServesItsShareOfTheReads() {
    // 40 bytes: 4.1 s from DISK, 0.1 s from memory, and 4.1 s to read them once into the cache.
    limits = new ActionLimits(cache(1), null);
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
        actions(explain("/c")).subList(1, 3));
  }

  @Test
  void whatGetsCopiesOnlyOnDiskComesThereFirst() {
    Scene archive = new Scene().nodes(6, Map.of(DISK, 1_000_000L, ARCHIVE, 1_000_000L));
    files.add(
        new HotFile(archive.file("/back", 200, "n1-ARCHIVE", "n2-ARCHIVE", "n3-ARCHIVE"), 100));
    recent = crowds();

    assertEquals(List.of("RECALLED /back D ARCHIVE ARCHIVE"), said(archive));

    files.clear();
    files.add(new HotFile(archive.file("/back", 200, "n1-DISK", "n2-ARCHIVE", "n3-ARCHIVE"), 100));
    assertEquals(List.of("MORE_COPIES /back D ARCHIVE ARCHIVE, 4 replicas"), said(archive));
  }

  @Test
  void moreReplicasKeepToCaps() {
    limits = new ActionLimits(null, COPIES);
    file("/crowds", 200, 100);
    file("/capped/f", 200, 110);
    recent = crowds();
    caps = List.of(new Cap(new Cap.Scope.Below("/capped"), DISK, 700, Cap.COUNTED));

    assertEquals(List.of("MORE_COPIES /crowds D D D, 4 replicas"), said());
    assertTrue(
        actions(explain("/capped/f")).contains("more replicas: " + caps.get(0).reason()),
        () -> explain("/capped/f").toString());
  }

  @Test
  void moreReplicasKeepToQuotasOfSpace() {
    limits = new ActionLimits(null, COPIES);
    file("/crowds", 200, 100);
    recent = crowds();
    // A fourth copy of 200 bytes.
    caps = List.of(Cap.quota("/", null, 800, 600), Cap.quota("/", null, 900, 600));
    assertEquals(List.of("MORE_COPIES /crowds D D D, 4 replicas"), said());

    caps = List.of(Cap.quota("/", null, 799, 600), Cap.quota("/", null, 900, 600));
    assertEquals(List.of(), said());
    assertTrue(
        actions(explain("/crowds"))
            .contains(
                "more replicas: the space quota of directory / is 799 bytes, and 600 are used"),
        () -> explain("/crowds").toString());
  }

  @Test
  void refusesLimitsThatAllowNothing() {
    TierSpeed memory = new TierSpeed(400, 1, 0);
    assertEquals(0, new ActionLimits.Cache(1, 1, 0, memory).threshold());
    for (Executable limits :
        List.<Executable>of(
            () -> new ActionLimits.Cache(0, 1, 0, memory),
            () -> new ActionLimits.Cache(1, 0, 0, memory),
            () -> new ActionLimits.Cache(1, 1, -1, memory),
            () -> new ActionLimits.Cache(1, 1, Double.NaN, memory),
            () -> new ActionLimits.Copies(1))) {
      assertThrows(IllegalArgumentException.class, limits);
    }
    assertEquals(2, new ActionLimits.Copies(2).most());
  }

  @Test
  void goesBackToAsManyReplicasAsThereWere() {
    files.add(
        new HotFile(
            scene.file("/f", 200, "n1-DISK", "n2-DISK", "n3-DISK", "n4-DISK", "n5-DISK"), 100));
    raised = Map.of("/f", new CurrentActions.Raised(3, 5));

    assertEquals(List.of("FEWER_COPIES /f D D D D D, 3 replicas"), said());
    recent = crowds();
    assertEquals(List.of(), said());
    recent = path -> List.of();
    holds = path -> new Hold(true, false, "young");
    assertEquals(List.of(), said());
  }

  @Test
  void copiesStayWhileAnotherActionIsUp() {
    file("/cached", 40, 1000);
    cached = Map.of("/cached", new CurrentActions.Cached(1, 40));

    assertEquals(List.of(), said());
    assertTrue(
        explain("/cached").lines().stream().anyMatch(line -> line.startsWith("action: cached: ")));
  }

  /** A cached copy of three saves 4 s of a third of the reads, and costs 4.1 s once: a heat of 4.44 pays for it. */
  @Test
  void whatIsUpStaysWithHalfOfWhatItTook() {
    holds = path -> DISK_ONLY;
    cached = Map.of("/f", new CurrentActions.Cached(1, 40));
    for (double[] each :
        new double[][] {{0, 2.23, 0}, {0, 2.21, 1}, {500, 250, 0}, {500, 249.9, 1}}) {
      limits = new ActionLimits(cache(each[0]), null);
      files.clear();
      file("/f", 40, each[1]);
      assertEquals(each[2] == 0 ? List.of() : List.of("UNCACHED /f D D D"), said());
    }
    assertTrue(reasons().get(0).endsWith("; not worth it any more"), () -> "" + reasons());
  }

  @Test
  void memoryIsFilledToTheLastByte() {
    limits = new ActionLimits(cache(0), null);
    holds = path -> DISK_ONLY;
    file("/hot", 60, 900);
    file("/warm", 40, 300);
    memory = 100;
    assertEquals(
        List.of("CACHED /hot D D D, 1 in memory", "CACHED /warm D D D, 1 in memory"), said());
    memory = 99;
    assertEquals(List.of("CACHED /hot D D D, 1 in memory"), said());
    memory = 59;
    assertEquals(List.of("CACHED /warm D D D, 1 in memory"), said());
    assertEquals("cache: 59 bytes of memory are left", actions(explain("/hot")).get(1));
    memory = 60;
    assertEquals(1, actions(explain("/hot")).size(), "as much as it needs");

    cached = Map.of("/warm", new CurrentActions.Cached(1, 40));
    memory = 40;
    assertEquals(List.of(), said());
    memory = 39;
    assertEquals(List.of("UNCACHED /warm D D D"), said());
    assertTrue(reasons().get(0).endsWith("; hotter data takes the memory"), () -> "" + reasons());
  }

  /** What is cached of files that are not looked at, or are held, stays there. */
  @Test
  void memoryOfOthersIsTaken() {
    limits = new ActionLimits(cache(0), null);
    cached =
        Map.of(
            "/gone", new CurrentActions.Cached(1, 30), "/held", new CurrentActions.Cached(1, 30));
    holds = path -> path.equals("/held") ? new Hold(true, false, "young") : DISK_ONLY;
    file("/held", 30, 1);
    file("/f", 40, 300);
    memory = 100;
    assertEquals(List.of("CACHED /f D D D, 1 in memory"), said());
    memory = 99;
    assertEquals(List.of(), said());
  }

  @Test
  void cachesAsManyCopiesAsItMay() {
    holds = path -> DISK_ONLY;
    limits = new ActionLimits(new ActionLimits.Cache(1000, 2, 0, new TierSpeed(400, 1, 0)), null);
    file("/f", 40, 300);
    memory = 80;
    assertEquals(List.of("CACHED /f D D D, 2 in memory"), said());
    assertTrue(actions(explain("/f")).get(0).endsWith(", 80 bytes in all"));
    memory = 79;
    assertEquals(List.of(), said());
  }

  /** Memory that is hardly faster than disks pays too, but less than that nobody waits. */
  @Test
  void takesTheActionThatBringsMoreForItsCost() {
    limits = new ActionLimits(new ActionLimits.Cache(1000, 1, 0, new TierSpeed(11, 1, 0)), COPIES);
    file("/f", 140, 3000);
    recent = crowds();
    assertEquals(List.of("MORE_COPIES /f D D D, 6 replicas"), said());
    limits = new ActionLimits(limits.cache(), null);
    assertEquals(List.of("CACHED /f D D D, 1 in memory"), said());
  }

  /** Of 6,000 bytes of DISK 5,400 are below the watermark, and each file asks for a fourth copy. */
  @Test
  void moreReplicasKeepToTheRoomOnDisk() {
    limits = new ActionLimits(null, COPIES);
    Scene small = new Scene().nodes(6, Map.of(DISK, 1_000L));
    for (String path : List.of("/a", "/b")) {
      files.add(new HotFile(small.file(path, 200, ON_DISK), path.equals("/a") ? 100 : 90));
    }
    recent = crowds();
    small.taken("n6-DISK", 5_400 - 2 * 600 - 2 * 200);
    assertEquals(
        List.of("MORE_COPIES /a D D D, 4 replicas", "MORE_COPIES /b D D D, 4 replicas"),
        said(small));
    String noRoom = "more replicas: no room below the lower watermark of DISK";
    assertEquals(1, explained("/b", small).size(), "what it is worth");
    small.taken("n6-DISK", 1);
    assertEquals(List.of("MORE_COPIES /a D D D, 4 replicas"), said(small));
    assertEquals(noRoom, explained("/b", small).get(1));
    small.taken("n6-DISK", 200);
    assertEquals(List.of(), said(small));
    assertEquals(noRoom, explained("/a", small).get(1));
  }

  private List<String> explained(String path, Scene of) {
    return actions(decider().explain(path, files, situation(of)));
  }

  @Test
  void moreReplicasOfOneFileCountForTheCapsOfTheNext() {
    limits = new ActionLimits(null, COPIES);
    file("/a", 200, 100);
    file("/b", 200, 90);
    recent = crowds();
    caps = List.of(new Cap(new Cap.Scope.Below("/"), DISK, 1_400, Cap.COUNTED));
    assertEquals(List.of("MORE_COPIES /a D D D, 4 replicas"), said());
    caps = List.of(new Cap(new Cap.Scope.Below("/"), DISK, 1_600, Cap.COUNTED));
    assertEquals(2, said().size());
  }

  @Test
  void noMoreReplicasThanNodesWithDisks() {
    limits = new ActionLimits(null, COPIES);
    file("/f", 140, 3000);
    recent = crowds();
    assertEquals(List.of("MORE_COPIES /f D D D, 6 replicas"), said());
    Scene five = new Scene().nodes(5, Map.of(DISK, 1_000_000L)).nodes(1, Map.of(SSD, 10L));
    assertEquals(List.of("MORE_COPIES /f D D D, 5 replicas"), said(five));
  }

  @Test
  void saysHowManyReadersThereAre() {
    limits = new ActionLimits(null, COPIES);
    file("/three", 200, 1);
    recent =
        path ->
            LongStream.range(0, 9)
                .mapToObj(i -> 1_000_000_000 - i / 3 * 1_000_000 - i % 3)
                .toList();
    assertEquals(
        List.of(
            "more replicas: 2.0 readers at once, 3 copies serve them, the busiest 33 %: not needed"),
        actions(explain("/three")));

    // As many as half of what there was before.
    files.add(
        new HotFile(
            scene.file("/raised", 200, "n1-DISK", "n2-DISK", "n3-DISK", "n4-DISK", "n5-DISK"), 1));
    raised = Map.of("/raised", new CurrentActions.Raised(4, 5));
    assertEquals(List.of("FEWER_COPIES /raised D D D D D, 4 replicas"), said());
    assertEquals(
        List.of("more replicas: 2.0 readers at once, of 5 copies: not needed any more"),
        actions(explain("/raised")));
    raised = Map.of("/raised", new CurrentActions.Raised(3, 5));
    assertEquals(List.of(), said());
    assertEquals(
        List.of("more replicas: 2.0 readers at once, of 5 copies"), actions(explain("/raised")));
  }

  private List<String> reasons() {
    return decider().decide(files, situation(scene)).stream().map(Decision::reason).toList();
  }

  private static ActionLimits.Cache cache(double threshold) {
    return new ActionLimits.Cache(1000, 1, threshold, new TierSpeed(400, 1, 0));
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
        of.cluster(),
        Map.of(),
        caps,
        holds,
        new CurrentActions(cached, raised, memory, recent),
        reads);
  }

  private TierDecider decider() {
    return new TierDecider(
        new Tiering(
            Map.of(
                SSD,
                new TierLimits(0.9, 0.95, 2),
                DISK,
                new TierLimits(0.9, 0.95, 1),
                ARCHIVE,
                new TierLimits(0.9, 0.95, 0)),
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

  /** What was said of actions. */
  private static List<String> actions(Explanation explanation) {
    return explanation.details().stream().map(line -> line.substring("action: ".length())).toList();
  }

  private Explanation explain(String path) {
    return decider().explain(path, files, situation(scene));
  }
}
