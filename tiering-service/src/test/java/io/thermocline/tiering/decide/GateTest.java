// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A file of 100 bytes takes 10.5 s to read from DISK, and 1.1 s from SSD. */
class GateTest {

  private static final double EXACT = 1e-9;
  private static final Map<StorageType, TierSpeed> SPEEDS =
      Map.of(
          ARCHIVE, new TierSpeed(4, 4, 0),
          DISK, new TierSpeed(10, 5, 0.5),
          SSD, new TierSpeed(100, 50, 0.1));

  private final Scene scene = new Scene().nodes(4, Map.of(DISK, 1000L, SSD, 1000L));
  private final Gate gate = gate(Duration.ofMinutes(120));

  /** As many reads are expected as there is heat. */
  private static Gate gate(Duration horizon) {
    return new Gate(horizon, 2, (hot, time) -> hot.heat(), SPEEDS);
  }

  private HotFile hot(double heat, String... storages) {
    return new HotFile(scene.file("/f", 100, storages), heat);
  }

  private static Gate.Change change(HotFile hot, ReadShares shares, StorageType... copies) {
    return new Gate.Change(hot, new Target(List.of(copies), "HOT"), shares);
  }

  private static void assertBenefit(double saved, double lost, double cost, Gate.Benefit benefit) {
    assertEquals(saved, benefit.saved(), EXACT);
    assertEquals(lost, benefit.lost(), EXACT);
    assertEquals(cost, benefit.cost(), EXACT);
  }

  @Test
  void weighsAMoveWithWhatMakesRoomForIt() {
    ReadShares fastest = ReadShares.fastest();
    Gate.Change up = change(hot(3, "n1-DISK", "n2-DISK"), fastest, SSD, DISK);
    Gate.Change down = change(hot(2, "n1-SSD", "n2-DISK"), fastest, DISK, DISK);

    assertBenefit(3 * 9.4, 0, 10.5 + 2.1, gate.weigh(up, List.of()));
    assertBenefit(3 * 9.4, 2 * 9.4, 10.5 + 2.1 + 1.1 + 20.5, gate.weigh(up, List.of(down)));
    assertEquals(Gate.UNWEIGHED, Gate.open().weigh(up, List.of(down)));
  }

  /** Of two copies on SSD the one may leave that serves a tenth of the reads: so many get slower. */
  @Test
  void theCopyLeavesSsdThatReadersMissLeast() {
    Readers readers =
        new Readers(Map.of("n1", 0.1, "n2", 0.9), Map.of("/default-rack", 1.0), false);
    ReadShares nearest = new ReadShares(ReadOrder.NEAREST, readers, Map.of());
    Gate.Change down = change(hot(10, "n1-SSD", "n2-SSD"), nearest, SSD, DISK);

    assertEquals(-10 * 0.1 * 9.4, gate.weigh(down, List.of()).saved(), EXACT);
  }

  /** A fast copy that leaves with the same plan saves nothing, and to leave it there costs nothing. */
  @Test
  void weighsAgainstWhatHappensOtherwise() {
    HotFile hot = hot(3, "n1-SSD", "n2-DISK");
    Target stays = new Target(List.of(SSD, DISK), "ONE_SSD");
    Target leaves = new Target(List.of(DISK, DISK), "HOT");
    Target both = new Target(List.of(SSD, SSD), "ALL_SSD");
    ReadShares fastest = ReadShares.fastest();

    assertBenefit(
        3 * 9.4,
        0,
        -(1.1 + 20.5),
        gate.weigh(new Gate.Change(hot, stays, leaves, fastest), List.of()));
    assertBenefit(
        3 * 9.4,
        0,
        10.5 + 2.1 - (1.1 + 20.5),
        gate.weigh(new Gate.Change(hot, both, leaves, fastest), List.of()));
  }

  @Test
  void asksForSoManyTimesTheCost() {
    assertTrue(gate.passes(new Gate.Benefit(10, 2, 4)));
    assertFalse(gate.passes(new Gate.Benefit(9.9, 2, 4)));
    assertTrue(gate.passes(Gate.UNWEIGHED));
  }

  @Test
  void saysWhatItWeighed() {
    assertEquals("", gate.words(Gate.UNWEIGHED));
    assertEquals(
        "saves 10.00 s of reading in 2 h, for 4.00 s of copying",
        gate.words(new Gate.Benefit(10, 0, 4)));
    assertEquals(
        "saves 10.00 s of reading in 119 min and costs others 2.00 s, for 4.00 s of copying",
        gate(Duration.ofMinutes(119)).words(new Gate.Benefit(10, 2, 4)));
  }

  @Test
  void aCachedCopyServesItsShareAndIsReadOnce() {
    TierSpeed memory = new TierSpeed(400, 1, 0);
    HotFile hot = hot(6, "n1-DISK", "n2-DISK", "n3-DISK");
    Gate.Change stays = new Gate.Change(hot, null, ReadShares.fastest());

    assertBenefit(6 * 10.25 / 3, 0, 10.5, gate.weighCaching(stays, memory, 1));
    assertBenefit(6 * 10.25, 0, 3 * 10.5, gate.weighCaching(stays, memory, 3));
    Gate.Change rises = change(hot, ReadShares.fastest(), SSD, DISK, DISK);
    assertBenefit(6 * 0.85 / 3, 0, 1.1, gate.weighCaching(rises, memory, 1));
  }

  @Test
  void moreCopiesSaveReadersFromWaiting() {
    HotFile hot = hot(6, "n1-DISK", "n2-DISK", "n3-DISK");

    assertBenefit(
        6 * 10.5 * 2, 0, 2 * 30.5, gate.weighCopies(hot, DISK, 3, 5, new Gate.Crowd(4, 2)));
    assertBenefit(6 * 10.5 * 3, 0, 30.5, gate.weighCopies(hot, DISK, 3, 4, new Gate.Crowd(4, 0.5)));
  }

  @Test
  void allBlocksOfAGroupAreReadAtTheSameTime() {
    FileView made = scene.file("/c", 20, "n1-DISK");
    List<FileView.Block> blocks = Collections.nCopies(5, made.blocks().get(0));

    assertEquals(12.5, gate.seconds(new FileView("/r", 100, 1, 0, blocks), DISK), EXACT);
    assertEquals(
        2.5,
        gate.seconds(new FileView("/c", 100, 1, 0, blocks, "", new FileView.Coding(3, 2)), DISK),
        EXACT);
  }

  /** Readers are in the second rack, that of n3. */
  @Test
  void theCopyThatServesTheMostReadsMoves() {
    ReadShares near =
        new ReadShares(
            ReadOrder.NEAREST,
            new Readers(Map.of(), Map.of("/r1", 1.0), false),
            Map.of("n1", "/r0", "n3", "/r1"));

    Gate.Change there = change(hot(3, "n1-DISK", "n3-DISK"), near, SSD, DISK);
    assertEquals(3 * 9.4, gate.weigh(there, List.of()).saved(), EXACT);
    Gate.Change elsewhere = change(hot(3, "n1-DISK", "n3-ARCHIVE"), near, SSD, ARCHIVE);
    assertEquals(0, gate.weigh(elsewhere, List.of()).saved(), EXACT);
  }
}
