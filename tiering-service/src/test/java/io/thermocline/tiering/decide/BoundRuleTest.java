// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundRuleTest {

  private static final Map<StorageType, TierLimits> LIMITS =
      Map.of(
          SSD, new TierLimits(0.8, 0.9, 2),
          DISK, new TierLimits(0.75, 0.85, 1),
          ARCHIVE, new TierLimits(0.85, 0.9, 0));

  private final Scene scene =
      new Scene().nodes(3, Map.of(SSD, 1000L, DISK, 10_000L, ARCHIVE, 10_000L));
  private final List<HotFile> files = new ArrayList<>();
  private final Map<String, Hold> holds = new HashMap<>();

  @Test
  void aCeilingSendsAllCopiesDownAndKeepsThemThere() {
    disk("/old", 100, 50);
    bound("/old", null, ARCHIVE);
    Decision decision = only();
    assertEquals(List.of(ARCHIVE, ARCHIVE, ARCHIVE), decision.target().copies());
    assertEquals("COLD", decision.target().storagePolicy());
    assertEquals(Decision.Cause.RULED_DOWN, decision.cause());
    assertTrue(
        decision.reason().startsWith("at most ARCHIVE by r: 50.0 block reads"), decision.reason());

    files.clear();
    add(scene.file("/old", 100, "n1-ARCHIVE", "n2-ARCHIVE", "n3-ARCHIVE"), 50);
    assertEquals(List.of(), decide(), "hot as it is: no recall, no promotion");
  }

  @Test
  void aCeilingKeepsHotDataOffTheFastType() {
    disk("/hot", 100, 50);
    assertEquals(SSD, only().target().lead());
    bound("/hot", null, DISK);
    assertEquals(List.of(), decide());
    assertTrue(
        new TierDecider(Tiering.plain(LIMITS, 0.2))
            .explain("/hot", files, situation())
            .obstacles()
            .get(SSD)
            .contains("at most DISK by r"));
  }

  @Test
  void fromTheFastTypeItLeavesForGood() {
    ssd("/f", 100, 50);
    bound("/f", null, DISK);
    assertEquals(List.of(DISK, DISK, DISK), only().target().copies());
  }

  @Test
  void aFloorBringsUpWhatNobodyReads() {
    disk("/cold", 100, 0);
    bound("/cold", SSD, null);
    assertEquals(List.of(SSD, DISK, DISK), only().target().copies());
    assertEquals(Decision.Cause.RULED_UP, only().cause());
  }

  /** 2,400 bytes are below the lower watermark of SSD. */
  @Test
  void aFloorTakesThePlaceOfTheColdestAndKeepsItsOwn() {
    ssd("/warm", 1200, 100);
    ssd("/warmer", 1200, 200);
    disk("/wanted", 600, 0);
    bound("/wanted", SSD, null);
    Map<String, Decision> decisions = byPath();
    assertEquals(Decision.Cause.DISPLACED, decisions.get("/warm").cause());
    assertEquals(SSD, decisions.get("/wanted").target().lead());
    assertEquals(2, decisions.size());

    files.clear();
    Scene full = new Scene().nodes(3, Map.of(SSD, 1000L, DISK, 10_000L, ARCHIVE, 10_000L));
    add(full.file("/wanted", 1300, "n1-SSD", "n2-DISK", "n3-DISK"), 0);
    add(full.file("/warmer", 1500, "n2-SSD", "n1-DISK", "n3-DISK"), 200);
    List<Decision> cold =
        new TierDecider(Tiering.plain(LIMITS, 0.2))
            .decide(files, new Situation(full.cluster(), Map.of(), List.of(), this::hold));
    assertEquals(List.of("/warmer"), cold.stream().map(d -> d.hot().file().path()).toList());
  }

  @Test
  void whereThereIsNoRoomItWaits() {
    disk("/f", 3000, 0);
    bound("/f", SSD, null);
    assertEquals(List.of(), decide());
    assertTrue(
        new TierDecider(Tiering.plain(LIMITS, 0.2))
            .explain("/f", files, situation())
            .obstacles()
            .get(SSD)
            .startsWith("no room"));
  }

  /** Up to the lower watermark of a fast type, and up to the upper one of a slower type. */
  @Test
  void aTypeIsFilledToTheLastByteBelowItsWatermark() {
    disk("/up", 2400, 0);
    bound("/up", SSD, null);
    assertEquals(SSD, only().target().lead());
    files.clear();
    disk("/up", 2401, 0);
    assertEquals(List.of(), decide());

    files.clear();
    Scene full = new Scene().nodes(3, Map.of(SSD, 1000L, DISK, 10_000L, ARCHIVE, 10_000L));
    add(full.file("/down", 100, "n1-SSD", "n2-DISK", "n3-DISK"), 0);
    bound("/down", null, DISK);
    // Of 25,500 bytes below 85 %, 200 are there and 100 come.
    full.taken("n1-DISK", 25_200);
    assertEquals(1, decide(full).size());
    full.taken("n1-DISK", 1);
    assertEquals(List.of(), decide(full));
  }

  private List<Decision> decide(Scene of) {
    return new TierDecider(Tiering.plain(LIMITS, 0.2))
        .decide(files, new Situation(of.cluster(), Map.of(), List.of(), this::hold));
  }

  @Test
  void capsAndTheFilesOwnPastComeFirst() {
    disk("/f", 100, 0);
    bound("/f", SSD, null);
    Cap cap = new Cap(new Cap.Scope.Below("/"), SSD, 50, Cap.COUNTED);
    assertEquals(
        List.of(),
        new TierDecider(Tiering.plain(LIMITS, 0.2))
            .decide(files, new Situation(scene.cluster(), Map.of(), List.of(cap), this::hold)));
    holds.put("/f", new Hold(false, true, "moved down").between(new Hold.Bound(SSD, "r"), null));
    assertEquals(List.of(), decide());
  }

  @Test
  void aClusterWithoutFastTypesHasCeilingsToo() {
    Scene slow = new Scene().nodes(3, Map.of(DISK, 10_000L, ARCHIVE, 10_000L));
    add(slow.file("/old", 100, "n1-DISK", "n2-DISK", "n3-DISK"), 0);
    bound("/old", null, ARCHIVE);
    List<Decision> decisions =
        new TierDecider(Tiering.plain(LIMITS, 0.2))
            .decide(files, new Situation(slow.cluster(), Map.of(), List.of(), this::hold));
    assertEquals(ARCHIVE, decisions.get(0).target().lead());
  }

  private void disk(String path, long length, double heat) {
    add(scene.file(path, length, "n1-DISK", "n2-DISK", "n3-DISK"), heat);
  }

  private void ssd(String path, long length, double heat) {
    add(scene.file(path, length, "n1-SSD", "n2-DISK", "n3-DISK"), heat);
  }

  private void add(FileView file, double heat) {
    files.add(new HotFile(file, heat));
  }

  private void bound(String path, StorageType atLeast, StorageType atMost) {
    holds.put(
        path,
        Hold.NONE.between(
            atLeast == null ? null : new Hold.Bound(atLeast, "r"),
            atMost == null ? null : new Hold.Bound(atMost, "r")));
  }

  private Hold hold(String path) {
    return holds.getOrDefault(path, Hold.NONE);
  }

  private Situation situation() {
    return new Situation(scene.cluster(), Map.of(), List.of(), this::hold);
  }

  private List<Decision> decide() {
    return new TierDecider(Tiering.plain(LIMITS, 0.2)).decide(files, situation());
  }

  private Decision only() {
    List<Decision> decisions = decide();
    assertEquals(1, decisions.size(), decisions::toString);
    return decisions.get(0);
  }

  private Map<String, Decision> byPath() {
    Map<String, Decision> decisions = new HashMap<>();
    decide().forEach(decision -> decisions.put(decision.hot().file().path(), decision));
    return decisions;
  }
}
