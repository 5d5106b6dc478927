// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TierDeciderTest {

  private static final double MARGIN = 0.2;

  /** DISK so large that its watermarks don't matter, unless a test says otherwise. */
  private static final long PLENTY = 1_000_000;

  private final List<HotFile> files = new ArrayList<>();
  private ReadShares reads = ReadShares.fastest();
  private Promotion promotion = Promotion.ONE_COPY;
  private Scene scene = new Scene().nodes(4, Map.of(DISK, PLENTY, SSD, 250L));

  @Test
  void promotesTheHottestBytesUntilTheLowerWatermark() {
    // 4 times 250 is 1000, so 800 bytes fit: 300 + 300 + 200, and 201 more would not have.
    file("/a", 300, 90, onDisk());
    file("/b", 300, 60, onDisk());
    file("/no-room", 201, 39, onDisk());
    file("/c", 200, 30, onDisk());
    file("/colder", 100, 5, onDisk());

    List<Decision> decisions = decide(Map.of(SSD, limits(0.8, 0.9, 2)));

    assertEquals(targets("/a", SSD, "/b", SSD, "/c", SSD), leads(decisions));
    assertTrue(decisions.stream().allMatch(d -> d.cause() == Decision.Cause.PROMOTED));
    assertTrue(
        decisions.stream().allMatch(d -> d.target().toString().equals("SSD DISK DISK (ONE_SSD)")));
    assertEquals(List.of("/a", "/b", "/c"), paths(decisions));
    assertEquals(
        "90.0 block reads, 0.90 s of disk time, at least the threshold of 2.0 reads of a file for SSD, among the hottest"
            + " that fit below 80 %",
        decisions.get(0).reason());
  }

  @Test
  void ranksByReadsPerByteAndNotByReads() {
    file("/large", 800, 100, onDisk());
    file("/small", 100, 50, onDisk());

    assertEquals(targets("/small", SSD), leads(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  @Test
  void countsBytesOfOtherDataOnTheTier() {
    scene.taken("n1-SSD", 100).taken("n2-SSD", 101);
    file("/a", 600, 90, onDisk());
    file("/b", 599, 80, onDisk());

    assertEquals(targets("/b", SSD), leads(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  @Test
  void fillsTheFastestTierFirst() {
    scene = new Scene().nodes(2, Map.of(DISK, PLENTY, SSD, 1000L, NVDIMM, 100L));
    file("/hottest", 160, 100, "n1-DISK", "n2-DISK");
    file("/next", 160, 90, "n1-DISK", "n2-DISK");
    file("/warm", 160, 3, "n1-DISK", "n2-DISK");

    assertEquals(
        targets("/hottest", NVDIMM, "/next", SSD, "/warm", SSD),
        leads(decide(Map.of(SSD, limits(0.8, 0.9, 2), NVDIMM, limits(0.8, 0.9, 4)))));
  }

  @Test
  void takesRoomThatAPromotionLeavesBehind() {
    scene = new Scene().nodes(1, Map.of(DISK, PLENTY, SSD, 100L, NVDIMM, 100L));
    file("/up", 80, 100, "n1-SSD");
    file("/after-it", 80, 50, "n1-DISK");

    assertEquals(
        targets("/up", NVDIMM, "/after-it", SSD),
        leads(decide(Map.of(SSD, limits(0.8, 0.9, 2), NVDIMM, limits(0.8, 0.9, 4)))));
  }

  @Test
  void promotesNothingBelowTheThreshold() {
    file("/below", 100, 1.99, onDisk());
    file("/at", 100, 2, onDisk());

    assertEquals(targets("/at", SSD), leads(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  @Test
  void displacesNothingThatIsColderByLessThanTheMargin() {
    file("/resident", 800, 10, "n1-SSD", "n2-DISK", "n3-DISK");
    file("/hotter", 800, 11.9, onDisk());

    assertEquals(Map.of(), leads(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  @Test
  void displacesWhatIsColderByTheMargin() {
    file("/resident", 800, 10, "n1-SSD", "n2-DISK", "n3-DISK");
    file("/hotter", 800, 12.1, onDisk());

    List<Decision> decisions = decide(Map.of(SSD, limits(0.8, 0.9, 2)));

    assertEquals(targets("/hotter", SSD, "/resident", DISK), leads(decisions));
    Decision loser = decisions.get(0);
    assertEquals(Decision.Cause.DISPLACED, loser.cause());
    assertEquals(SSD, loser.from());
    assertEquals(
        "gives its place on SSD to hotter data: 10.0 block reads, 0.10 s of disk time against 12.1 block reads,"
            + " 0.12 s of disk time of /hotter",
        loser.reason());
  }

  @Test
  void displacesOnlyTheColdestThatMakeTheRoom() {
    file("/r1", 200, 4, "n1-SSD");
    file("/r2", 200, 3, "n2-SSD");
    file("/r3", 200, 2, "n3-SSD");
    file("/r4", 200, 1, "n4-SSD");
    file("/new", 400, 90, "n1-DISK");

    assertEquals(
        targets("/new", SSD, "/r3", DISK, "/r4", DISK),
        leads(decide(Map.of(SSD, limits(0.8, 0.9, 0.5)))));
  }

  @Test
  void keepsASmallResidentThatStillFitsBesideTheWinner() {
    // Both must go as one is not enough, and then the small one has room after all.
    file("/small", 10, 1, "n1-SSD");
    file("/large", 790, 158, "n2-SSD");
    file("/new", 500, 400, "n1-DISK");

    assertEquals(
        targets("/new", SSD, "/large", DISK), leads(decide(Map.of(SSD, limits(0.8, 0.9, 1)))));
  }

  @Test
  void whatLosesNvdimmGoesToSsdWhereItIsHotEnough() {
    scene = new Scene().nodes(1, Map.of(DISK, PLENTY, SSD, 100L, NVDIMM, 100L));
    file("/winner", 80, 50, "n1-DISK");
    file("/loser", 80, 20, "n1-NVDIMM");
    file("/third", 80, 5, "n1-SSD");

    List<Decision> decisions =
        decide(Map.of(SSD, limits(0.8, 0.9, 2), NVDIMM, limits(0.8, 0.9, 4)));

    assertEquals(targets("/winner", NVDIMM, "/loser", SSD, "/third", DISK), leads(decisions));
    Decision loser = decisions.get(0);
    assertEquals("/loser", loser.hot().file().path());
    assertEquals(Decision.Cause.DISPLACED, loser.cause());
    assertTrue(loser.reason().contains("of /winner; 20.0 block reads"), loser.reason());
  }

  @Test
  void aboveTheUpperWatermarkTheColdestLeaveUntilTheLowerOne() {
    // 1000 bytes, 910 used: above 90 %. 10 + 50 + 60 leave, so that 790 stay.
    file("/r1", 400, 400, "n1-SSD", "n2-DISK");
    file("/r2", 390, 300, "n2-SSD", "n3-DISK");
    file("/r3", 60, 6, "n3-SSD", "n4-DISK");
    file("/r4", 40, 2, "n4-SSD", "n1-DISK");
    file("/r5", 20, 0, "n4-SSD", "n1-DISK");

    List<Decision> decisions = decide(Map.of(SSD, limits(0.8, 0.9, 7)));

    assertEquals(targets("/r3", DISK, "/r4", DISK, "/r5", DISK), leads(decisions));
    assertTrue(decisions.stream().allMatch(d -> d.cause() == Decision.Cause.COLD_MIGRATION));
    assertEquals(
        "SSD is above its upper watermark of 90 %, and this is its coldest data: 6.0 block reads,"
            + " 0.06 s of disk time",
        decisions.get(0).reason());
  }

  @Test
  void atTheUpperWatermarkNothingLeaves() {
    file("/r1", 900, 0, "n1-SSD");

    assertEquals(Map.of(), leads(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  @Test
  void everyCopyOfColdDataLeavesTheTier() {
    scene.taken("n3-SSD", 250).taken("n4-SSD", 250);
    file("/twice", 460, 1, "n1-SSD", "n2-SSD", "n3-DISK");

    List<Decision> decisions = decide(Map.of(SSD, limits(0.8, 0.9, 2)));

    assertEquals("DISK DISK DISK (HOT)", decisions.get(0).target().toString());
  }

  @Test
  void allCopiesButOneLeaveFirst() {
    file("/twice", 460, 9, "n1-SSD", "n2-SSD", "n3-DISK");

    List<Decision> decisions = decide(Map.of(SSD, limits(0.8, 0.9, 2)));

    assertEquals("SSD DISK DISK (ONE_SSD)", decisions.get(0).target().toString());
    assertEquals(
        "all copies but one: SSD is above its upper watermark of 90 %, and this is its coldest data: 9.0 block reads,"
            + " 0.09 s of disk time",
        decisions.get(0).reason());
  }

  /** Readers in all racks, by HDFS's own order: one copy serves a third, and all of them are worth their room. */
  @Test
  void allCopiesOfTheHottestComeWhereOneServesFewReads() {
    reads = spread();
    promotion = Promotion.ONE_OR_ALL;
    file("/hottest", 100, 400, "n1-SSD", "n2-DISK", "n3-DISK");
    file("/warm", 100, 12, onDisk());
    file("/small", 60, 4, onDisk());

    List<Decision> decisions = decide(Map.of(SSD, limits(0.46, 0.9, 2)));

    assertEquals(
        Map.of(
            "/hottest",
            "SSD SSD SSD (ALL_SSD)",
            "/warm",
            "SSD DISK DISK (ONE_SSD)",
            "/small",
            "SSD DISK DISK (ONE_SSD)"),
        texts(decisions));
    assertTrue(
        decisions
            .get(0)
            .reason()
            .contains(
                "one copy on SSD serves 33 % of its reads, all 3 serve 100 % and take 200 bytes more"),
        decisions.get(0)::reason);
  }

  @Test
  void theOtherCopiesGiveWayToTheFirstOfHotterData() {
    reads = spread();
    promotion = Promotion.ONE_OR_ALL;
    file("/wide", 200, 10, "n1-SSD", "n2-SSD", "n3-SSD");
    file("/hotter", 200, 20, onDisk());

    assertEquals(
        Map.of("/hotter", "SSD DISK DISK (ONE_SSD)", "/wide", "SSD DISK DISK (ONE_SSD)"),
        texts(decide(Map.of(SSD, limits(0.5, 0.9, 2)))));
  }

  @Test
  void saysWhatKeepsTheOtherCopies() {
    reads = spread();
    promotion = Promotion.ONE_OR_ALL;
    file("/hottest", 100, 400, "n1-SSD", "n2-DISK", "n3-DISK");

    Map<StorageType, TierLimits> little = Map.of(SSD, limits(0.299, 0.9, 2));
    assertEquals(Map.of(), texts(decide(little)));
    String room = explain("/hottest", little, Gate.open()).details().get(0);
    assertTrue(room.startsWith("all copies on SSD: no room below 30 %: not enough"), room);

    Gate dear =
        new Gate(
            Duration.ofHours(1),
            1e9,
            ExpectedReads.steady(Duration.ofHours(1)),
            Map.of(SSD, new TierSpeed(100, 100, 0), DISK, new TierSpeed(10, 10, 0)));
    Map<StorageType, TierLimits> enough = Map.of(SSD, limits(0.3, 0.9, 2));
    assertEquals(Map.of("/hottest", "SSD SSD SSD (ALL_SSD)"), texts(decide(enough)));
    String benefit = explain("/hottest", enough, dear).details().get(0);
    assertTrue(benefit.startsWith("all copies on SSD: saves "), benefit);
    assertTrue(benefit.endsWith(": not worth it"), benefit);
  }

  /** Files of this cluster start with a copy on ARCHIVE. */
  @Test
  void whatArchiveHasNoRoomForGoesToDisk() {
    scene = new Scene().nodes(4, Map.of(ARCHIVE, 2000L, DISK, 2000L, SSD, 100L));
    file("/cold", 380, 1, "n1-SSD", "n2-DISK", "n3-DISK");
    Map<StorageType, TierLimits> limits =
        Map.of(SSD, limits(0.8, 0.9, 2), DISK, limits(0.9, 0.95, 1), ARCHIVE, limits(0.5, 0.5, 0));
    Map<StorageType, TierLimits> without = new HashMap<>(limits);
    without.remove(ARCHIVE);

    assertEquals(Map.of("/cold", "DISK DISK ARCHIVE (HOT)"), texts(spreading(limits)));
    assertEquals(Map.of("/cold", "DISK DISK DISK (HOT)"), texts(spreading(without)));
    // 4000 bytes are below the watermark.
    scene.taken("n4-ARCHIVE", 4000 - 380);
    assertEquals(Map.of("/cold", "DISK DISK ARCHIVE (HOT)"), texts(spreading(limits)));
    scene.taken("n4-ARCHIVE", 1);
    assertEquals(Map.of("/cold", "DISK DISK DISK (HOT)"), texts(spreading(limits)));
  }

  private List<Decision> spreading(Map<StorageType, TierLimits> limits) {
    return new TierDecider(
            new Tiering(limits, MARGIN, Promotion.ONE_COPY, Written.SPREAD, Gate.open()))
        .decide(files, Situation.of(scene.cluster()));
  }

  @Test
  void saysWhyWhatIsReadAgainIsNotRecalled() {
    archiveScene(1000, 1000);
    file("/back", 20, 5, "n1-ARCHIVE", "n2-ARCHIVE", "n3-ARCHIVE");
    Map<StorageType, TierLimits> limits = archiving(0.8, 0.85);
    Gate dear =
        new Gate(
            Duration.ofHours(1),
            1e9,
            ExpectedReads.steady(Duration.ofHours(1)),
            Map.of(
                SSD, new TierSpeed(100, 100, 0),
                DISK, new TierSpeed(10, 10, 0),
                ARCHIVE, new TierSpeed(5, 5, 0)));
    String benefit = explain("/back", limits, dear).obstacles().get(DISK);
    assertTrue(benefit.startsWith("saves ") && benefit.endsWith(": not worth it"), benefit);

    Cap cap = new Cap(new Cap.Scope.Below("/"), DISK, 19, Cap.COUNTED);
    Situation capped = new Situation(scene.cluster(), Map.of(), List.of(cap), path -> Hold.NONE);
    TierDecider decider = new TierDecider(Tiering.plain(limits, MARGIN));
    assertEquals(List.of(), decider.decide(files, capped));
    assertEquals("a cap on DISK", decider.explain("/back", files, capped).obstacles().get(DISK));
  }

  /** HDFS has no storage policy with one copy on NVDIMM for them, whatever asks for it. */
  @Test
  void erasureCodedFilesDontGoToNvdimm() {
    scene = new Scene().nodes(4, Map.of(DISK, PLENTY, NVDIMM, 500L));
    FileView made = scene.file("/c", 100, "n1-DISK");
    FileView coded = new FileView("/c", 100, 1, 0, made.blocks(), "", new FileView.Coding(3, 2));
    files.add(new HotFile(coded, 50));
    Map<StorageType, TierLimits> limits = Map.of(NVDIMM, limits(0.8, 0.9, 2));

    assertEquals(Map.of(), texts(decide(limits)));
    assertEquals(
        "HDFS has no storage policy for erasure-coded files with NVDIMM",
        explain("/c", limits, Gate.open()).obstacles().get(NVDIMM));
    Situation ruled =
        new Situation(
            scene.cluster(),
            Map.of(),
            List.of(),
            path -> Hold.NONE.between(new Hold.Bound(NVDIMM, "r"), null));
    TierDecider decider = new TierDecider(Tiering.plain(limits, MARGIN));
    assertEquals(List.of(), decider.decide(files, ruled));
  }

  private Explanation explain(String path, Map<StorageType, TierLimits> limits, Gate gate) {
    return new TierDecider(new Tiering(limits, MARGIN, promotion, Written.BY_POLICY, gate))
        .explain(
            path,
            files,
            new Situation(
                scene.cluster(),
                Map.of(),
                List.of(),
                any -> Hold.NONE,
                CurrentActions.NOTHING,
                reads));
  }

  @Test
  void oneCopyIsEnoughWhereReadersTakeTheFastest() {
    promotion = Promotion.ONE_OR_ALL;
    file("/hottest", 100, 400, "n1-SSD", "n2-DISK", "n3-DISK");

    assertEquals(Map.of(), texts(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  @Test
  void allCopiesNeedAsManyNodesWithTheType() {
    reads = spread();
    promotion = Promotion.ONE_OR_ALL;
    scene = new Scene().nodes(2, Map.of(DISK, PLENTY, SSD, 500L)).nodes(2, Map.of(DISK, PLENTY));
    file("/hottest", 100, 400, "n1-SSD", "n2-DISK", "n3-DISK");

    assertEquals(Map.of(), texts(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  /** A plan never puts replicas on fewer racks. */
  @Test
  void allCopiesNeedTwoRacksWithTheType() {
    reads = spread();
    promotion = Promotion.ONE_OR_ALL;
    scene = new Scene().nodes(2, Map.of(DISK, PLENTY, SSD, 500L)).nodes(2, Map.of(DISK, PLENTY));
    file("/hottest", 100, 400, "n1-SSD", "n3-DISK");

    assertEquals(Map.of(), texts(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));

    scene.nodes(1, Map.of(DISK, PLENTY, SSD, 500L));
    assertEquals(
        Map.of("/hottest", "SSD SSD (ALL_SSD)"), texts(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  @Test
  void archivesAllButOneCopyOfTheColdest() {
    archiveScene(100, 1000);
    file("/warm", 100, 5, "n1-DISK", "n2-DISK", "n3-DISK");
    file("/cold", 20, 0, "n1-DISK", "n2-DISK", "n3-DISK");

    // 360 of 400 is 90 %, above 85 %; without two copies of 20 bytes it is 320, 80 %.
    List<Decision> decisions = decide(archiving(0.8, 0.85));

    assertEquals(List.of("/cold"), paths(decisions));
    assertEquals("DISK ARCHIVE ARCHIVE (WARM)", decisions.get(0).target().toString());
    assertEquals(Decision.Cause.ARCHIVED, decisions.get(0).cause());
    assertEquals(
        "DISK is above its upper watermark of 85 %, and this is its coldest data: 0.0 block reads,"
            + " 0.00 s of disk time",
        decisions.get(0).reason());
  }

  @Test
  void atTheUpperWatermarkNothingIsArchived() {
    archiveScene(100, 1000);
    scene.taken("n4-DISK", 40);
    file("/cold", 100, 0, "n1-DISK", "n2-DISK", "n3-DISK");

    // 340 of 400.
    assertEquals(List.of(), decide(archiving(0.8, 0.85)));
    scene.taken("n4-DISK", 1);
    assertEquals(List.of("/cold"), paths(decide(archiving(0.8, 0.85))));
  }

  @Test
  void archivesTheLastCopyWhenTheOthersWereNotEnough() {
    archiveScene(100, 1000);
    scene.taken("n4-DISK", 100).taken("n3-DISK", 80);
    file("/a", 60, 1, "n1-DISK", "n2-DISK");
    file("/b", 40, 0, "n1-DISK", "n2-DISK");

    // 380 used, 240 wanted: one copy of each leaves 280, and the last one of /b leaves 240.
    List<Decision> decisions = decide(archiving(0.6, 0.85));

    Map<String, String> targets = new TreeMap<>();
    decisions.forEach(
        decision -> targets.put(decision.hot().file().path(), decision.target().toString()));
    assertEquals(Map.of("/a", "DISK ARCHIVE (WARM)", "/b", "ARCHIVE ARCHIVE (COLD)"), targets);
  }

  @Test
  void neverOverfillsArchive() {
    archiveScene(100, 100);
    scene.taken("n1-ARCHIVE", 100).taken("n2-ARCHIVE", 100).taken("n3-ARCHIVE", 100);
    file("/a", 100, 1, "n1-DISK", "n2-DISK");
    file("/b", 70, 0, "n3-DISK", "n4-DISK");
    file("/c", 30, 0.5, "n3-DISK", "n4-DISK");

    // ARCHIVE may hold 360 of 400, 300 are taken: 60 more, so /b and then /a don't fit.
    List<Decision> decisions = decide(archiving(0.5, 0.6));

    assertEquals(targets("/c", ARCHIVE), leads(decisions));
  }

  @Test
  void recallsWhatIsReadAgain() {
    archiveScene(100, 1000);
    file("/read", 50, 3, "n1-ARCHIVE", "n2-ARCHIVE");
    file("/read-too-little", 50, 0.9, "n1-ARCHIVE", "n2-ARCHIVE");

    List<Decision> decisions = decide(archiving(0.8, 0.85));

    assertEquals(targets("/read", DISK), leads(decisions));
    assertEquals(Decision.Cause.RECALLED, decisions.get(0).cause());
    assertEquals(ARCHIVE, decisions.get(0).from());
    assertEquals(
        "3.0 block reads, 0.03 s of disk time, at least the threshold of 1.0 reads of a file for DISK",
        decisions.get(0).reason());
  }

  @Test
  void recallsNothingThatWouldFillDiskAboveItsLowerWatermark() {
    archiveScene(100, 1000);
    scene.taken("n1-DISK", 90).taken("n2-DISK", 90).taken("n3-DISK", 90);
    file("/large", 51, 30, "n1-ARCHIVE", "n2-ARCHIVE");
    file("/fits", 50, 3, "n1-ARCHIVE", "n2-ARCHIVE");

    assertEquals(targets("/fits", DISK), leads(decide(archiving(0.8, 0.85))));
  }

  @Test
  void archivesAndRecallsWithoutFastTiers() {
    scene = new Scene().nodes(4, Map.of(DISK, 100L, ARCHIVE, 1000L));
    file("/cold", 100, 0, "n1-DISK", "n2-DISK", "n3-DISK", "n4-DISK");
    file("/read", 10, 9, "n1-ARCHIVE");

    List<Decision> decisions = decide(archiving(0.5, 0.6));

    assertEquals(
        Map.of("/cold", Decision.Cause.ARCHIVED, "/read", Decision.Cause.RECALLED),
        decisions.stream()
            .collect(Collectors.toMap(one -> one.hot().file().path(), Decision::cause)));
  }

  @Test
  void plansNothingWithDisksAlone() {
    scene = new Scene().nodes(4, Map.of(DISK, 100L));
    file("/cold", 100, 0, "n1-DISK", "n2-DISK", "n3-DISK", "n4-DISK");
    file("/read", 10, 9, "n1-DISK");

    assertEquals(Map.of(), leads(decide(archiving(0.5, 0.6))));
  }

  @Test
  void countsAFileAsOnATierOnlyWhenAllItsBlocksAre() {
    FileView up = scene.file("/f", 100, "n1-SSD", "n2-DISK");
    FileView down = scene.file("/f", 100, "n1-DISK", "n2-DISK");
    FileView half =
        new FileView("/f", 200, 2, 0, List.of(up.blocks().get(0), down.blocks().get(0)));
    files.add(new HotFile(half, 10));

    List<Decision> decisions = decide(Map.of(SSD, limits(0.8, 0.9, 2)));

    assertEquals(targets("/f", SSD), leads(decisions));
    assertEquals(DISK, decisions.get(0).from());
  }

  @Test
  void takesAwayWhatAHalfDonePromotionLeftOfAFileThatCooled() {
    FileView up = scene.file("/f", 100, "n1-SSD", "n2-DISK");
    FileView down = scene.file("/f", 100, "n1-DISK", "n2-DISK");
    files.add(
        new HotFile(
            new FileView("/f", 200, 2, 0, List.of(up.blocks().get(0), down.blocks().get(0))), 1));
    List<Decision> decisions = decide(Map.of(SSD, limits(0.8, 0.9, 2)));

    assertEquals(targets("/f", DISK), leads(decisions));
    assertEquals(Decision.Cause.COLD_MIGRATION, decisions.get(0).cause());
  }

  @Test
  void leavesAloneWhatHasACopyInMemory() {
    scene = new Scene().nodes(2, Map.of(DISK, PLENTY, SSD, 500L, StorageType.RAM_DISK, 500L));
    FileView memory = scene.file("/f", 100, "n1-RAM_DISK", "n2-DISK");
    FileView disk = scene.file("/f", 100, "n1-DISK", "n2-DISK");
    files.add(
        new HotFile(
            new FileView("/f", 200, 2, 0, List.of(memory.blocks().get(0), disk.blocks().get(0))),
            50));

    assertEquals(Map.of(), leads(decide(Map.of(SSD, limits(0.8, 0.9, 2)))));
  }

  private void archiveScene(long disk, long archive) {
    scene = new Scene().nodes(4, Map.of(DISK, disk, ARCHIVE, archive, SSD, 1L));
  }

  private static Map<StorageType, TierLimits> archiving(double lower, double upper) {
    return Map.of(
        SSD, limits(0.8, 0.9, 2), DISK, limits(lower, upper, 1), ARCHIVE, limits(0.85, 0.9, 0));
  }

  private static TierLimits limits(double lower, double upper, double threshold) {
    return new TierLimits(lower, upper, threshold);
  }

  private static String[] onDisk() {
    return new String[] {"n1-DISK", "n2-DISK", "n3-DISK"};
  }

  private void file(String path, long length, double heat, String... storages) {
    files.add(new HotFile(scene.file(path, length, storages), heat));
  }

  private List<Decision> decide(Map<StorageType, TierLimits> limits) {
    return new TierDecider(new Tiering(limits, MARGIN, promotion, Written.BY_POLICY, Gate.open()))
        .decide(
            files,
            new Situation(
                scene.cluster(),
                Map.of(),
                List.of(),
                path -> Hold.NONE,
                CurrentActions.NOTHING,
                reads));
  }

  /** HDFS's own order, with readers in three racks alike; a node in each. */
  private static ReadShares spread() {
    Map<String, String> racks = Map.of("n1", "/r1", "n2", "/r2", "n3", "/r3", "n4", "/r4");
    double third = 1.0 / 3;
    Readers readers =
        new Readers(Map.of(), Map.of("/r1", third, "/r2", third, "/r3", third), false);
    return new ReadShares(ReadOrder.NEAREST, readers, racks);
  }

  private static Map<String, String> texts(List<Decision> decisions) {
    return decisions.stream()
        .collect(
            Collectors.toMap(
                decision -> decision.hot().file().path(),
                decision -> decision.target().toString()));
  }

  private static List<String> paths(List<Decision> decisions) {
    return decisions.stream().map(decision -> decision.hot().file().path()).toList();
  }

  private static Map<String, StorageType> leads(List<Decision> decisions) {
    Map<String, StorageType> leads = new TreeMap<>();
    decisions.forEach(
        decision -> leads.put(decision.hot().file().path(), decision.target().lead()));
    assertEquals(decisions.size(), leads.size(), "a file stands twice");
    return leads;
  }

  private static Map<String, StorageType> targets(Object... pathsAndTypes) {
    Map<String, StorageType> targets = new TreeMap<>();
    for (int i = 0; i < pathsAndTypes.length; i += 2) {
      targets.put((String) pathsAndTypes[i], (StorageType) pathsAndTypes[i + 1]);
    }
    return targets;
  }
}
