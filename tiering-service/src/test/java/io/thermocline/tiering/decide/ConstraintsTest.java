// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What keeps decisions in bounds besides room: caps, holds, thresholds that are learned, what a move is worth. */
class ConstraintsTest {

  private static final Map<StorageType, TierLimits> LIMITS =
      Map.of(SSD, new TierLimits(0.8, 0.9, 2), NVDIMM, new TierLimits(0.8, 0.9, 4));
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String[] ON_DISK = {"n1-DISK", "n2-DISK", "n3-DISK"};

  private final List<HotFile> files = new ArrayList<>();
  private final Scene scene = new Scene().nodes(4, Map.of(DISK, 1_000_000L, SSD, 250L));
  private Map<StorageType, Double> thresholds = Map.of();
  private final List<Cap> caps = new ArrayList<>();
  private Function<String, Hold> holds = path -> Hold.NONE;
  private Gate gate = Gate.open();
  private ReadShares reads = ReadShares.fastest();

  @Test
  void aUserTakesNoMoreOfATypeThanCapped() {
    caps.add(new Cap(new Cap.Scope.Owner("alice"), SSD, 250, Cap.COUNTED));
    file("/a1", 100, 90, "alice", "n1-SSD", "n2-DISK");
    file("/a2", 100, 80, "alice", ON_DISK);
    file("/a3", 100, 70, "alice", ON_DISK);
    file("/b", 100, 10, "bob", ON_DISK);

    assertEquals(List.of("/a2", "/b"), paths(decide()));
    assertEquals("user alice may take 250 bytes of SSD", explain("/a3").obstacles().get(SSD));
  }

  @Test
  void aGroupTakesNoMoreOfATypeThanCapped() {
    caps.add(new Cap(new Cap.Scope.Group("analysts"), SSD, 100, Cap.COUNTED));
    for (String group : List.of("analysts", "others")) {
      FileView made = scene.file("/of-" + group, 101, ON_DISK);
      files.add(
          new HotFile(
              new FileView(
                  made.path(),
                  made.length(),
                  made.replication(),
                  0,
                  made.blocks(),
                  "alice",
                  null,
                  group,
                  FileView.Times.UNKNOWN),
              90));
    }

    assertEquals(List.of("/of-others"), paths(decide()));
    assertEquals(
        "group analysts may take 100 bytes of SSD", explain("/of-analysts").obstacles().get(SSD));
  }

  @Test
  void whatIsHotterTakesThePlaceOfColderDataUnderTheSameCap() {
    caps.add(new Cap(new Cap.Scope.Below("/tenant"), SSD, 100, Cap.COUNTED));
    file("/tenant/cold", 100, 5, "x", "n1-SSD", "n2-DISK");
    file("/tenant/hot", 100, 50, "y", ON_DISK);
    file("/tenants/other", 100, 4, "y", ON_DISK);
    file("/elsewhere", 100, 3, "y", "n2-SSD", "n3-DISK");

    assertEquals(List.of("/tenant/cold", "/tenant/hot", "/tenants/other"), paths(decide()));
  }

  @Test
  void aQuotaCountsWhatHdfsCounts() {
    caps.add(Cap.quota("/q", SSD, 1000, 950));
    file("/q/a", 51, 90, "x", ON_DISK);
    file("/q/b", 50, 80, "x", ON_DISK);

    assertEquals(List.of("/q/b"), paths(decide()));
  }

  @Test
  void nothingPinnedMoves() {
    holds = path -> path.equals("/pinned") ? Hold.still("pinned") : Hold.NONE;
    file("/pinned", 800, 3, "x", "n1-SSD", "n2-DISK");
    file("/hot", 800, 900, "x", ON_DISK);

    assertEquals(List.of(), decide());
    assertEquals("pinned", explain("/pinned").standing().hold().reason());
    assertEquals(
        "no room below the lower watermark, and nothing there that could leave",
        explain("/hot").obstacles().get(SSD));
  }

  @Test
  void whatRoseStaysForItsResidencyAndWhatFellToo() {
    MoveHistory history =
        new MoveHistory(new Stability(Duration.ofHours(1), 3, Duration.ofDays(1)));
    history.moved("/resident", Decision.Cause.PROMOTED, NOW.minusSeconds(600));
    holds = path -> history.hold(path, NOW);
    file("/resident", 800, 3, "x", "n1-SSD", "n2-DISK");
    file("/hot", 800, 900, "x", ON_DISK);

    assertEquals(List.of(), decide());
    holds = path -> history.hold(path, NOW.plusSeconds(3600));
    assertEquals(List.of("/resident", "/hot"), inOrder(decide()));

    history.moved("/hot", Decision.Cause.DISPLACED, NOW.minusSeconds(60));
    holds = path -> history.hold(path, NOW);
    files.remove(0);
    assertEquals(List.of(), decide());
    assertTrue(
        explain("/hot").obstacles().get(SSD).startsWith("a move down began at 2026-03-01T11:59"));
  }

  @Test
  void aPathTurnsRoundNoMoreThanItMay() {
    Stability stability = new Stability(Duration.ZERO, 2, Duration.ofHours(10));
    MoveHistory history = new MoveHistory(stability);
    Instant at = NOW;
    boolean up = true;
    int turns = 0;
    for (int step = 0; step < 300; step++) {
      at = at.plusSeconds(600);
      Hold hold = history.hold("/a", at);
      // It always wants to turn round.
      if (up ? hold.fall() : hold.rise()) {
        up = !up;
        turns++;
        history.moved("/a", up ? Decision.Cause.PROMOTED : Decision.Cause.DISPLACED, at);
      }
      assertTrue(history.flaps("/a", at) <= 2, "step " + step);
      assertEquals(0, history.flaps("/other", at));
      history.forgetBefore(at);
    }
    // 50 hours: two in each ten, and the first move of all is no turn.
    assertEquals(11, turns);
    history.forgetBefore(at.plus(Duration.ofHours(11)));
    assertEquals(0, history.size());
  }

  @Test
  void learnedThresholdsLetInWhatHasRoomAndTheClassThatIsAtTheEdge() {
    // 800 bytes have room: 300 of the hottest, and 500 of the 600 that are equally hot.
    file("/h", 300, 300, "x", ON_DISK);
    for (int i = 0; i < 6; i++) {
      file("/e" + i, 100, 50, "x", ON_DISK);
    }
    file("/small", 10, 3, "x", ON_DISK);
    LearnedThresholds learned = learn(LearnedThresholds.none());
    thresholds = learned.heats();
    double edge = thresholds.get(SSD);
    // 50 reads of one block each, in 10 ms, of 100 bytes.
    assertEquals(50 * 0.01 / 100, edge / HotFile.GB, 0.00002);

    assertEquals(6, decide().size());
    assertEquals(learned.heats(), learn(learned).heats(), "nothing changed");
    assertEquals(
        String.format(java.util.Locale.ROOT, "less than %.2f s of disk time a GB", edge),
        explain("/small").obstacles().get(SSD));
  }

  /** Of 1000 bytes of SSD 800 are below the lower watermark. */
  @Test
  void thresholdsCountWithTheRoomThatOtherDataLeaves() {
    file("/a", 100, 1, "x", "n1-SSD", "n2-SSD");
    Map<StorageType, Long> own = LearnedThresholds.bytes(files);
    assertEquals(Map.of(SSD, 200L), own);
    assertEquals(Map.of(SSD, 800L), LearnedThresholds.room(own, scene.cluster(), LIMITS));
    assertEquals(Map.of(SSD, 600L), LearnedThresholds.room(Map.of(), scene.cluster(), LIMITS));
    scene.taken("n4-SSD", 150);
    assertEquals(Map.of(SSD, 650L), LearnedThresholds.room(own, scene.cluster(), LIMITS));
    scene.taken("n3-SSD", 700);
    assertEquals(Map.of(SSD, 0L), LearnedThresholds.room(own, scene.cluster(), LIMITS));
  }

  @Test
  void aPromotionMustSaveItsCost() {
    gate =
        new Gate(
            Duration.ofHours(10),
            2,
            ExpectedReads.steady(Duration.ofHours(10)),
            Map.of(
                DISK, new TierSpeed(10, 10, 0),
                SSD, new TierSpeed(100, 100, 0),
                ARCHIVE, new TierSpeed(5, 5, 0)));
    // Each read saves 9 s. A copy reads 10 s and writes 1 s, twice which takes 2.4 reads: heat
    // 3.53.
    file("/worth", 100, 3.6, "x", ON_DISK);
    file("/not", 100, 3.4, "x", ON_DISK);

    List<Decision> decisions = decide();

    assertEquals(List.of("/worth"), paths(decisions));
    assertTrue(
        decisions
            .get(0)
            .reason()
            .endsWith("saves 22.46 s of reading in 10 h, for 11.00 s of copying"),
        decisions.get(0).reason());
    assertEquals(11, decisions.get(0).benefit().cost(), 1e-9);
    assertEquals(
        "saves 21.21 s of reading in 10 h, for 11.00 s of copying: not worth it",
        explain("/not").obstacles().get(SSD));

    // One of three copies serves a third of the reads.
    Readers elsewhere = new Readers(Map.of(), Map.of("/default-rack", 1.0), false);
    reads = new ReadShares(ReadOrder.NEAREST, elsewhere, Map.of());
    assertEquals(List.of(), paths(decide()));
    file("/often", 100, 3 * 3.6, "x", ON_DISK);
    assertEquals(List.of("/often"), paths(decide()));
  }

  @Test
  void refusesAGateThatAsksForNothingSensible() {
    ExpectedReads reads = ExpectedReads.steady(Duration.ofHours(1));
    for (double factor : new double[] {-0.1, Double.NaN}) {
      assertThrows(
          IllegalArgumentException.class, () -> new Gate(Duration.ZERO, factor, reads, Map.of()));
    }
    assertThrows(
        IllegalArgumentException.class, () -> new Gate(Duration.ofMillis(-1), 0, reads, Map.of()));
  }

  @Test
  void whatGivesItsPlaceCountsAgainstAPromotion() {
    gate =
        new Gate(
            Duration.ofHours(10),
            1,
            ExpectedReads.steady(Duration.ofHours(10)),
            Map.of(DISK, new TierSpeed(10, 10, 0), SSD, new TierSpeed(100, 100, 0)));
    file("/resident", 800, 10, "x", "n1-SSD", "n2-DISK", "n3-DISK");
    file("/hotter", 800, 13, "x", ON_DISK);

    // 3 reads more, 0.69 of them expected, 72 s each, against two copies of 88 s.
    assertEquals(List.of(), decide());
    gate = Gate.open();
    assertEquals(2, decide().size());
  }

  @Test
  void tooColdDataLeavesThoughThereIsRoom() {
    file("/cold", 100, 0.4, "x", "n1-SSD", "n2-DISK");
    file("/cool", 100, 0.6, "x", "n2-SSD", "n3-DISK");
    Map<StorageType, TierLimits> limits = Map.of(SSD, new TierLimits(0.8, 0.9, 2, 0.5));

    List<Decision> decisions =
        new TierDecider(Tiering.plain(limits, 0.2)).decide(files, situation());

    assertEquals(List.of("/cold"), paths(decisions));
    assertEquals(
        "below the 0.5 reads of a file that SSD keeps: 0.4 block reads, 0.00 s of disk time",
        decisions.get(0).reason());
  }

  @Test
  void explainsWhereAFileIsAndWhatItWouldTake() {
    file("/resident", 800, 10, "x", "n1-SSD", "n2-DISK", "n3-DISK");
    file("/hotter", 800, 11, "x", ON_DISK);

    assertEquals(
        List.of(
            "/hotter: fastest copy on DISK; bytes by type {DISK=2400}",
            "11.0 block reads, 0.11 s of disk time, 52.4 % of all; number 1 of 2 files",
            "next: stays",
            "not SSD: no room below 80 %: not enough there is colder by 20 % than its 147718.24 s of"
                + " disk time a GB; the coldest has 134289.31"),
        explain("/hotter").lines());
    assertEquals(
        List.of("/none: no closed file below manage.paths, or its storage policy is another's"),
        explain("/none").lines());
  }

  /** Of a file that no rule has anything to say of, either. */
  @Test
  void alwaysExplainsWhyAFileStays() {
    file("/cold", 100, 0, "x", ON_DISK);
    assertEquals("no read of it counts now", explain("/cold").obstacles().get(SSD));
    assertTrue(explain("/cold").lines().contains("next: stays"));
    Explanation without =
        new TierDecider(Tiering.plain(Map.of(DISK, new TierLimits(0.75, 0.85, 1)), 0.2))
            .explain("/cold", files, situation());
    assertEquals("SSD takes no part: decide.tiers leaves it out", without.obstacles().get(SSD));
  }

  /** SUORA, section 3.6: straight to where the heat belongs, and then another copy. */
  @Test
  void gradualPromotionMovesOneCopyAtATime() {
    Scene large =
        new Scene().nodes(4, Map.of(ARCHIVE, 2000L, DISK, 2000L, SSD, 200L, NVDIMM, 100L));
    HotFile warm = new HotFile(large.file("/f", 100, "n1-ARCHIVE", "n2-DISK", "n3-DISK"), 3);
    Tiering gradual = new Tiering(LIMITS, 0.2, Promotion.GRADUAL, Written.SPREAD, Gate.open());
    TierDecider decider = new TierDecider(gradual);

    Decision first = decider.decide(List.of(warm), large.cluster()).get(0);
    assertEquals("SSD DISK ARCHIVE (ONE_SSD)", first.target().toString());
    HotFile hot = new HotFile(Moved.file(warm.file(), first.target()), 9);
    Decision second = decider.decide(List.of(hot), large.cluster()).get(0);
    assertEquals("NVDIMM SSD ARCHIVE (ONE_SSD)", second.target().toString());
    assertEquals(1, second.target().shifts(hot.file().blocks().get(0).types()).size());
    Decision straight =
        decider.decide(List.of(new HotFile(warm.file(), 9)), large.cluster()).get(0);
    assertEquals("NVDIMM DISK ARCHIVE (ONE_SSD)", straight.target().toString());
    assertEquals(
        List.of(),
        decider.decide(
            List.of(new HotFile(Moved.file(warm.file(), straight.target()), 9)), large.cluster()));
  }

  private LearnedThresholds learn(LearnedThresholds before) {
    return before.next(
        LearnedThresholds.distribution(files),
        LearnedThresholds.room(LearnedThresholds.bytes(files), scene.cluster(), LIMITS));
  }

  private void file(String path, long length, double heat, String owner, String... storages) {
    FileView file = scene.file(path, length, storages);
    files.add(
        new HotFile(new FileView(path, length, file.replication(), 0, file.blocks(), owner), heat));
  }

  private TierDecider decider() {
    return new TierDecider(new Tiering(LIMITS, 0.2, Promotion.ONE_COPY, Written.BY_POLICY, gate));
  }

  private Situation situation() {
    return new Situation(scene.cluster(), thresholds, caps, holds, CurrentActions.NOTHING, reads);
  }

  private List<Decision> decide() {
    return decider().decide(files, situation());
  }

  private Explanation explain(String path) {
    return decider().explain(path, files, situation());
  }

  private static List<String> paths(List<Decision> decisions) {
    return inOrder(decisions).stream().sorted().toList();
  }

  private static List<String> inOrder(List<Decision> decisions) {
    return decisions.stream().map(decision -> decision.hot().file().path()).toList();
  }
}
