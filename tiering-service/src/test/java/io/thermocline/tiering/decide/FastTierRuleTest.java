// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.DISK;
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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Who enters and who leaves a fast tier at the edges of room, caps, thresholds and shares of reads. */
class FastTierRuleTest {

  private static final String[] ON_DISK = {"n1-DISK", "n2-DISK", "n3-DISK"};
  private static final String[] WIDE = {"n1-SSD", "n2-SSD", "n3-SSD"};

  private final List<HotFile> files = new ArrayList<>();
  private final List<Cap> caps = new ArrayList<>();
  private final Scene scene = new Scene().nodes(4, Map.of(DISK, 1_000_000L, SSD, 250L));
  private Map<StorageType, Double> thresholds = Map.of();
  private Function<String, Hold> holds = path -> Hold.NONE;
  private Promotion promotion = Promotion.ONE_OR_ALL;
  private Gate gate = Gate.open();
  private ReadShares reads = readers(Map.of("/r1", 0.6, "/r2", 0.2, "/r3", 0.2));

  /** The first copy of /wide serves 60 % of 10 reads, the others 20 % each, and that of /narrow 60 % of 8. */
  @Test
  void theOtherCopiesLeaveBeforeAFileThatServesMoreReads() {
    file("/wide", 200, 10, WIDE);
    file("/narrow", 200, 8, "n1-SSD", "n2-DISK", "n3-DISK");
    file("/new", 200, 30, ON_DISK);

    assertEquals(
        Map.of("/wide", "SSD DISK DISK (ONE_SSD)", "/new", "SSD DISK DISK (ONE_SSD)"),
        decide(limits(0.8)));
  }

  /** 100 of 400 bytes are of the first copy of /wide, 200 of its others, 100 of /narrow. */
  @Test
  void aWideFileLeavesTheRoomOfAllItsCopies() {
    file("/wide", 100, 5, WIDE);
    file("/narrow", 100, 6, "n1-SSD", "n2-DISK", "n3-DISK");
    file("/new", 400, 400, ON_DISK);

    assertEquals(
        Map.of(
            "/wide",
            "DISK DISK DISK (HOT)",
            "/narrow",
            "DISK DISK DISK (HOT)",
            "/new",
            "SSD DISK DISK (ONE_SSD)"),
        decide(limits(0.4)));
  }

  /** Its copy on ARCHIVE would be on DISK had it been promoted instead. */
  @Test
  void whatComesBackLiesAsItDid() {
    promotion = Promotion.ONE_COPY;
    file("/small", 10, 5, "n1-SSD", "n2-DISK", "n3-ARCHIVE");
    file("/large", 790, 500, "n2-SSD", "n3-DISK", "n4-DISK");
    file("/new", 500, 4000, ON_DISK);

    assertEquals(
        Map.of("/large", "DISK DISK DISK (HOT)", "/new", "SSD DISK DISK (ONE_SSD)"),
        decide(limits(0.8)));
  }

  @Test
  void copiesThatARuleHoldsDontLeave() {
    file("/wide", 310, 1, WIDE);
    holds = path -> new Hold(true, false, "held");
    assertEquals(Map.of(), decide(limits(0.8)));

    holds = path -> Hold.NONE;
    assertEquals(Map.of("/wide", "SSD DISK DISK (ONE_SSD)"), decide(limits(0.8)));
  }

  @Test
  void nothingMoreLeavesOnceTheLowerWatermarkIsReached() {
    promotion = Promotion.ONE_COPY;
    file("/stays", 800, 9, "n1-SSD", "n2-DISK");
    file("/leaves", 101, 1, "n2-SSD", "n3-DISK");

    assertEquals(Map.of("/leaves", "DISK DISK (HOT)"), decide(limits(0.8)));
  }

  @Test
  void whatIsReadAsOftenAsTheTypeKeepsStays() {
    file("/below", 100, 0.49, "n1-SSD", "n2-DISK");
    file("/at", 100, 0.5, "n1-SSD", "n2-DISK");

    assertEquals(
        Map.of("/below", "DISK DISK (HOT)"), decide(Map.of(SSD, new TierLimits(0.8, 0.9, 2, 0.5))));
  }

  @Test
  void allCopiesComeWhereExactlyAsManyNodesHaveTheType() {
    file("/hot", 100, 400, "n1-SSD", "n2-DISK", "n3-DISK", "n4-DISK");
    assertEquals(Map.of("/hot", "SSD SSD SSD SSD (ALL_SSD)"), decide(limits(0.8)));
  }

  @Test
  void nothingIsSaidOfOtherCopiesThatAreThere() {
    scene.taken("n4-SSD", 250);
    file("/wide", 200, 10, WIDE);

    assertEquals(List.of(), explain("/wide", limits(0.8)).details());
  }

  @Test
  void saysWhatComesOfTheOtherCopies() {
    file("/hot", 100, 400, "n1-SSD", "n2-DISK", "n3-DISK");
    String reason =
        "400.0 block reads, 4.00 s of disk time; one copy on SSD serves 60 % of its reads, all 3 serve 100 %"
            + " and take 200 bytes more";
    assertEquals(List.of(reason), reasons(limits(0.8)));

    gate = gate(0);
    List<String> weighed = reasons(limits(0.8));
    assertTrue(weighed.get(0).startsWith(reason + ": saves "), weighed::toString);
  }

  /** One byte is missing once the colder of two residents is gone, and the other is hotter. */
  @Test
  void saysThatWhatIsColderDoesntMakeTheRoom() {
    promotion = Promotion.ONE_COPY;
    file("/hot", 700, 7000, "n1-SSD", "n2-DISK");
    file("/cold", 100, 2, "n2-SSD", "n3-DISK");
    file("/new", 101, 50, ON_DISK);

    assertEquals(Map.of(), decide(limits(0.8)));
    String why = explain("/new", limits(0.8)).obstacles().get(SSD);
    assertTrue(why.startsWith("no room below 80 %: not enough there is colder by 20 %"), why);
  }

  @Test
  void aFileOfWhichAPartIsThereNeedsRoomForTheRest() {
    promotion = Promotion.ONE_COPY;
    FileView up = scene.file("/half", 100, "n1-SSD", "n2-DISK");
    FileView down = scene.file("/half", 100, "n1-DISK", "n2-DISK");
    List<FileView.Block> blocks = List.of(up.blocks().get(0), down.blocks().get(0));
    files.add(new HotFile(new FileView("/half", 200, 2, 0, blocks), 10));

    assertEquals(Map.of("/half", "DISK DISK (HOT)"), decide(limits(0.199)));
    assertEquals(Map.of("/half", "SSD DISK (ONE_SSD)"), decide(limits(0.2)));
    holds = path -> new Hold(true, false, "held");
    assertEquals(Map.of(), decide(limits(0.199)));
    assertEquals(Map.of("/half", "SSD DISK (ONE_SSD)"), decide(limits(0.2)));
  }

  /** What leaves for a cap leaves its room too. */
  @Test
  void roomIsMadeOnceForACapAndTheTier() {
    promotion = Promotion.ONE_COPY;
    caps.add(new Cap(new Cap.Scope.Below("/t"), SSD, 400, Cap.COUNTED));
    file("/t/resident", 400, 40, "n1-SSD", "n2-DISK");
    file("/coldest", 400, 4, "n2-SSD", "n3-DISK");
    file("/t/new", 400, 400, ON_DISK);

    assertEquals(
        Map.of("/t/resident", "DISK DISK (HOT)", "/t/new", "SSD DISK DISK (ONE_SSD)"),
        decide(limits(0.8)));
  }

  /**
   * One copy near half of the readers serves two thirds of the reads of /near: half, and a third of those who are as
   * far from all copies. One of /far serves half. Files with as many reads of each kind make the mean 7/12.
   */
  @Test
  void lessIsAskedOfAFileOfWhichOneCopyServesMore() {
    reads = readers(Map.of("/r1", 0.5, "/r2", 0.5));
    String[] near = {"n1-DISK", "n3-DISK", "n4-DISK"};
    String[] far = {"n3-DISK", "n4-DISK"};
    for (double[] each : new double[][] {{1.01, 2}, {0.99, 1}, {0.88, 1}, {0.87, 0}, {0.6, 0}}) {
      files.clear();
      file("/near", 100, 1000, near);
      file("/far", 100, 1000, far);
      double density = files.get(0).density();
      thresholds = Map.of(SSD, density / each[0] * HotFile.GB);

      assertEquals(each[1], promoted().size(), "at " + each[0] + " of the threshold");
      assertEquals(each[1] > 0, promoted().contains("/near"));
    }
  }

  private List<String> promoted() {
    return decide(limits(0.8)).keySet().stream().toList();
  }

  /** What a file's other copies serve is weighed against what theirs served that leave. */
  @Test
  void weighsTheOtherCopiesThatLeave() {
    gate = gate(0);
    reads = readers(Map.of("/r1", 1 / 3.0, "/r2", 1 / 3.0, "/r3", 1 / 3.0));
    file("/wide", 200, 10, WIDE);
    file("/new", 200, 400, ON_DISK);

    Decision winner = decided(limits(0.6)).get(1);
    assertEquals("/new", winner.hot().file().path());
    // Two thirds of ten reads are served by DISK again, in 20 s instead of 2 s.
    assertEquals(2.0 / 3 * 10 * 18, winner.benefit().lost(), 1e-6);
    // A copy is read in 20 s and written in 2 s; two are read in 2 s and written in 20 s.
    assertEquals(22 + 2 * 22, winner.benefit().cost(), 1e-6);
  }

  @Test
  void weighsTheWholeFileThatLeaves() {
    promotion = Promotion.ONE_COPY;
    reads = ReadShares.fastest();
    gate = gate(0);
    file("/resident", 600, 10, "n1-SSD", "n2-DISK", "n3-DISK");
    file("/new", 600, 400, ON_DISK);

    Decision winner = decided(limits(0.6)).get(1);
    assertEquals("/new", winner.hot().file().path());
    assertEquals(10 * 54, winner.benefit().lost(), 1e-6);
    assertEquals(2 * 66, winner.benefit().cost(), 1e-6);
  }

  /** As many reads are expected as there is heat; 10 bytes a second from DISK, 100 from SSD. */
  private static Gate gate(double factor) {
    return new Gate(
        Duration.ofHours(1),
        factor,
        (hot, time) -> hot.heat(),
        Map.of(DISK, new TierSpeed(10, 10, 0), SSD, new TierSpeed(100, 100, 0)));
  }

  /** HDFS's own order, with a node in each rack. */
  private static ReadShares readers(Map<String, Double> byRack) {
    Map<String, String> racks = Map.of("n1", "/r1", "n2", "/r2", "n3", "/r3", "n4", "/r4");
    return new ReadShares(ReadOrder.NEAREST, new Readers(Map.of(), byRack, false), racks);
  }

  private static Map<StorageType, TierLimits> limits(double lower) {
    return Map.of(SSD, new TierLimits(lower, 0.9, 2));
  }

  private void file(String path, long length, double heat, String... storages) {
    files.add(new HotFile(scene.file(path, length, storages), heat));
  }

  private TierDecider decider(Map<StorageType, TierLimits> limits) {
    return new TierDecider(new Tiering(limits, 0.2, promotion, Written.BY_POLICY, gate));
  }

  private Situation situation() {
    return new Situation(scene.cluster(), thresholds, caps, holds, CurrentActions.NOTHING, reads);
  }

  private List<Decision> decided(Map<StorageType, TierLimits> limits) {
    return decider(limits).decide(files, situation());
  }

  private Map<String, String> decide(Map<StorageType, TierLimits> limits) {
    Map<String, String> targets = new TreeMap<>();
    decided(limits)
        .forEach(each -> targets.put(each.hot().file().path(), each.target().toString()));
    return targets;
  }

  private List<String> reasons(Map<StorageType, TierLimits> limits) {
    return decided(limits).stream().map(Decision::reason).toList();
  }

  private Explanation explain(String path, Map<StorageType, TierLimits> limits) {
    return decider(limits).explain(path, files, situation());
  }
}
