// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.heat.Opens;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HotFileTest {

  private static final long BLOCK = 128L << 20;

  private final Scene scene = new Scene().nodes(3, Map.of(DISK, 1000L, SSD, 1000L));

  @Test
  void aReaderReadsEachBlockAndNoParity() {
    assertEquals(3, HotFile.blocks(blocks(3, null)));
    assertEquals(5, HotFile.blocks(blocks(5, null)));
    assertEquals(3, HotFile.blocks(blocks(5, new FileView.Coding(3, 2))));
    assertEquals(1, HotFile.blocks(blocks(1, new FileView.Coding(3, 2))));
    // Of those that aren't known, the length tells.
    long[] lengths = {0, 1, BLOCK, BLOCK + 1, 2 * BLOCK};
    int[] expected = {1, 1, 1, 2, 2};
    for (int i = 0; i < lengths.length; i++) {
      assertEquals(
          expected[i], HotFile.blocks(new FileView("/f", lengths[i], 3, 0, List.of())), "" + i);
    }
  }

  @Test
  void countsReadsOfBlocksAndDiskTime() {
    HotFile hot = new HotFile(blocks(3, null), 4);
    assertEquals(12, hot.blockReads());
    assertEquals("12.0 block reads, 0.12 s of disk time", hot.counted());
    // 10 ms to a block, and 30 bytes in all.
    assertEquals(4 * (0.03 + 30 / 150e6), hot.diskSeconds(), 1e-12);
    assertEquals(hot.diskSeconds() / 30, hot.density(), 1e-15);
    assertEquals(hot.density(), hot.rank());
  }

  /** Eight requests for 0.3 of 300 MB take 0.68 s, all of it by two requests 2.02 s. */
  @Test
  void anOpenCountsAsThePartThatItReads() {
    Opens columns = new Opens(1, 0, 0, 4, 0.3);
    assertEquals(0.68 / 2.02, HotFile.reads("/f", 2, 300_000_000, columns), 1e-9);
    assertEquals(1, HotFile.reads("/f", 2, 300_000_000, new Opens(1, 0, 0, 1, 1)), 1e-9);
  }

  /** Where a block lost a copy, only whole ones say where copies should be. */
  @Test
  void aStepIsTakenFromWholeBlocks() {
    FileView.Block whole = scene.file("/f", 10, "n1-SSD", "n2-DISK").blocks().get(0);
    FileView.Block part = scene.file("/f", 10, "n1-DISK").blocks().get(0);
    FileView file = new FileView("/f", 20, 2, 0, List.of(part, whole));
    assertEquals(List.of(SSD, DISK), Shapes.of(file).step(copies -> copies));
  }

  @Test
  void isAsHotWhereverItIsShown() {
    HotFile hot = new HotFile(blocks(3, null), 4);
    assertSame(hot, hot.as(hot.file()));
    FileView elsewhere = blocks(2, null);
    assertEquals(new HotFile(elsewhere, 4), hot.as(elsewhere));
  }

  /** A block without a live copy says nothing of where the file lies. */
  @Test
  void liesWhereItsSlowestBlockDoes() {
    FileView.Block fast = scene.file("/f", 10, "n1-SSD", "n2-DISK").blocks().get(0);
    FileView.Block slow = scene.file("/f", 20, "n1-DISK", "n2-DISK").blocks().get(0);
    FileView.Block lost = scene.file("/f", 40).blocks().get(0);
    Map<StorageType, Long> onFast = Map.of(SSD, 10L, DISK, 10L);

    Layout both = Layout.of(new FileView("/f", 30, 2, 0, List.of(fast, slow)));
    assertEquals(DISK, both.lead());
    assertEquals(Map.of(SSD, 10L, DISK, 50L), both.bytes());
    Layout partly = Layout.of(new FileView("/f", 50, 2, 0, List.of(lost, fast)));
    assertEquals(SSD, partly.lead());
    assertEquals(onFast, partly.bytes());
    assertEquals(100, partly.space());
    Layout none = Layout.of(new FileView("/f", 40, 2, 0, List.of(lost)));
    assertEquals(DISK, none.lead());
    assertEquals(Map.of(), none.bytes());
  }

  @Test
  void ofMoreReplicasHdfsPlacesThoseThatItAdds() {
    FileView file = scene.file("/f", 10, "n1-SSD", "n2-DISK");
    Layout more = Layout.replicated(file, 5);
    assertEquals(Map.of(SSD, 10L, DISK, 40L), more.bytes());
    assertEquals(50, more.space());
    assertEquals(SSD, more.lead());
    FileView coded = blocks(5, new FileView.Coding(3, 2));
    assertEquals(50, Layout.of(coded).space(), "parity counts in its length here");
  }

  private FileView blocks(int count, FileView.Coding coding) {
    List<FileView.Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(scene.file("/f", 10, "n1-DISK").blocks().get(0));
    }
    return new FileView("/f", 10L * count, 1, 0, blocks, "", coding);
  }
}
