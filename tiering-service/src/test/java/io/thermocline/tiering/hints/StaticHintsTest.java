// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Temperature;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaticHintsTest {

  private final StaticHints hints =
      new StaticHints(StaticHints.Level.LEVEL2, StaticHints.TABLE_2_2, 10 << 20);

  @Test
  void tellsTable22sRanges() {
    long[] lengths = {0, 262_143, 262_144, 1 << 20, 10 << 20, 100 << 20, 1 << 30};
    int[] ranges = {0, 0, 1, 2, 3, 4, 5};
    for (int i = 0; i < lengths.length; i++) {
      assertEquals(ranges[i], hints.of("/f", lengths[i]).size(), lengths[i] + " bytes");
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new StaticHints(StaticHints.Level.OFF, List.of(2L, 1L), 1));
  }

  @Test
  void tellsTypesByNameDirectoryAndTableFormat() {
    type(FileClass.Type.TABLE_METADATA, "/t/_SUCCESS", "/t/_delta_log/0001.json", "/t/_metadata");
    type(FileClass.Type.TABLE_METADATA, "/t/metadata/v3.metadata.json", "/t/.hoodie/1.commit");
    type(FileClass.Type.TABLE_METADATA, "/t/part.parquet.crc", "/t/x.avsc");
    type(FileClass.Type.ORC, "/t/dt=1/part-0.orc");
    type(FileClass.Type.PARQUET, "/t/dt=1/part-0.snappy.parquet");
    type(FileClass.Type.WRITE_AHEAD_LOG, "/hbase/WALs/rs1/log.17", "/x/y.wal");
    type(FileClass.Type.TEMPORARY, "/t/_temporary/0/part.parquet", "/t/f._COPYING_");
    type(FileClass.Type.TEMPORARY, "/t/.hive-staging_hive_1/part.orc");
    type(FileClass.Type.CHECKPOINT, "/flink/checkpoints/j/chk-9/state", "/flink/j/chk-9/state");
    type(FileClass.Type.OTHER, "/t/part-00000", "/metadata", "/", "/t/");
  }

  @Test
  void wantsMetadataAndSmallFilesButNotWhatNobodyReads() {
    assertTrue(hints.isWanted(hints.of("/t/_metadata", 1L << 31)));
    assertTrue(hints.isWanted(hints.of("/t/part-0", 1000)));
    assertFalse(hints.isWanted(hints.of("/t/part-0", 10 << 20)));
    assertFalse(hints.isWanted(hints.of("/hbase/WALs/a/b", 1000)));
    assertFalse(hints.isWanted(hints.of("/t/_temporary/a", 1000)));
    StaticHints first = new StaticHints(StaticHints.Level.LEVEL1, StaticHints.TABLE_2_2, 10 << 20);
    assertFalse(first.isWanted(first.of("/t/part-0", 1000)));
    Expectation expected = first.expectation("/t/_metadata", 10, HintRates.DEFAULT).orElseThrow();
    assertEquals(Temperature.WARM, expected.temperature());
    assertEquals(
        "hinted warm by its name (metadata), believed 1.00: as 6.0 reads a day", expected.words());
    StaticHints off = new StaticHints(StaticHints.Level.OFF, StaticHints.TABLE_2_2, 10 << 20);
    assertTrue(off.expectation("/t/_metadata", 10, HintRates.DEFAULT).isEmpty());
  }

  private void type(FileClass.Type type, String... paths) {
    for (String path : paths) {
      assertEquals(type, hints.of(path, 1).type(), path);
    }
  }
}
