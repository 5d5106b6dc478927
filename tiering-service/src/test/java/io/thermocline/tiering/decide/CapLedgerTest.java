// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A file with a copy of 60 bytes on SSD and one on DISK. */
class CapLedgerTest {

  private final Scene scene = new Scene().nodes(2, Map.of(DISK, 1000L, SSD, 1000L));
  private final FileView file = scene.file("/a/f", 60, "n1-SSD", "n2-DISK");
  private final Layout now = Layout.of(file);

  private static Cap below(String directory, long most, long taken) {
    return new Cap(new Cap.Scope.Below(directory), SSD, most, taken);
  }

  private CapLedger ledger(Cap... caps) {
    return new CapLedger(List.of(caps), List.of(new HotFile(file, 1)));
  }

  private Layout on(StorageType... copies) {
    return Layout.of(file, new Target(List.of(copies), "ONE_SSD"));
  }

  private static List<CapLedger.Excess> excess(Cap cap, long bytes) {
    return List.of(new CapLedger.Excess(cap, bytes));
  }

  @Test
  void countsWhatLiesThereAndWhatComes() {
    Cap cap = below("/a", 119, Cap.COUNTED);
    assertEquals(excess(cap, 1), ledger(cap).exceeded(file, now, on(SSD, SSD)));
    assertEquals(
        List.of(), ledger(below("/a", 120, Cap.COUNTED)).exceeded(file, now, on(SSD, SSD)));
    assertEquals(List.of(), ledger(below("/b", 1, 0)).exceeded(file, now, on(SSD, SSD)));
    Cap taken = below("/a", 100, 50);
    assertEquals(excess(taken, 10), ledger(taken).exceeded(file, now, on(SSD, SSD)));
  }

  @Test
  void whatTakesNoMoreExceedsNothing() {
    CapLedger full = ledger(below("/a", 1, Cap.COUNTED));
    assertEquals(List.of(), full.exceeded(file, now, now));
    assertEquals(List.of(), full.exceeded(file, now, on(DISK, DISK)));
  }

  @Test
  void whatLeavesMakesRoom() {
    Cap cap = below("/a", 100, Cap.COUNTED);
    CapLedger ledger = ledger(cap, below("/b", 10, 10));
    FileView other = scene.file("/a/g", 50, "n1-DISK", "n2-DISK");
    Layout before = Layout.of(other);
    Layout after = Layout.of(other, new Target(Arrays.asList(SSD, DISK), "ONE_SSD"));

    assertEquals(excess(cap, 10), ledger.exceeded(other, before, after));
    ledger.changed(file, now, on(DISK, DISK));
    assertEquals(List.of(), ledger.exceeded(other, before, after));
    ledger.changed(other, before, after);
    assertEquals(excess(cap, 10), ledger.exceeded(file, on(DISK, DISK), now));
  }
}
