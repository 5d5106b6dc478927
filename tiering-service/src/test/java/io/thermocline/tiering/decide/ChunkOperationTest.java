// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChunkOperationTest {

  private final Scene scene = new Scene().nodes(2, Map.of(DISK, 1000L, SSD, 1000L));

  @Test
  void aFileWhoseBlocksLieAlikeIsOneChunk() {
    FileView file = file(new long[] {10, 20}, "n1-SSD n2-DISK", "n1-DISK n2-SSD");

    List<ChunkOperation> all = ChunkOperation.of(Operation.PREFETCH, file, Optional.of(SSD));

    assertEquals(
        List.of(new ChunkOperation(Operation.PREFETCH, "/f", 30, SSD, Optional.of(SSD))), all);
    assertEquals(
        new ChunkOperation(Operation.PREFETCH, "/f", 30, SSD, Optional.of(ARCHIVE)),
        all.get(0).to(ARCHIVE));
  }

  @Test
  void blocksThatLieOtherwiseAreChunksOfTheirOwn() {
    FileView file =
        file(
            new long[] {1, 2, 4, 8, 16},
            "n1-SSD n2-DISK",
            "n1-DISK n2-DISK",
            "n1-DISK n2-DISK",
            "",
            "n1-DISK n2-DISK");

    assertEquals(
        List.of(chunk("/f#0", 1, SSD), chunk("/f#1-2", 6, DISK), chunk("/f#4", 16, DISK)),
        ChunkOperation.of(Operation.MIGRATE, file, Optional.empty()),
        "the fourth has no live copy");
  }

  private static ChunkOperation chunk(String id, long bytes, StorageType source) {
    return new ChunkOperation(Operation.MIGRATE, id, bytes, source, Optional.empty());
  }

  /** The storages of each block's copies. */
  private FileView file(long[] lengths, String... blocks) {
    List<FileView.Block> made = new ArrayList<>();
    long all = 0;
    for (int i = 0; i < blocks.length; i++) {
      String[] storages = blocks[i].isEmpty() ? new String[0] : blocks[i].split(" ");
      made.add(scene.file("/f", lengths[i], storages).blocks().get(0));
      all += lengths[i];
    }
    return new FileView("/f", all, 2, 0, made);
  }
}
