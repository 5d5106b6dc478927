// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ServedBlocksTest {
  private static final String LINE =
      "2026-11-20 10:00:00,000 DEBUG DataNode.clienttrace: src: /10.0.0.2:9866, dest: /10.0.0.1:40576, volume: ,"
          + " bytes: %d, op: %s, cliID: DFSClient_1, offset: 0, srvID: b8f36b9b, blockid:"
          + " BP-1-127.0.0.1-2:blk_%d_1101, duration(ns): 4677987\n";

  @Test
  void readsOfABlockAreAddedWithoutTheirChecksums() {
    ServedBlocks served = new ServedBlocks();
    served.add(LINE.formatted(516, "HDFS_READ", 7) + LINE.formatted(5160, "HDFS_READ", 7));
    served.add(LINE.formatted(516, "HDFS_WRITE", 7) + LINE.formatted(1032, "HDFS_READ", 71));
    assertEquals(2, served.reads(7));
    assertEquals(512 * 11, served.bytes(7));
    assertEquals(1, served.reads(71));
    assertEquals(0, served.reads(8));
  }
}
