// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Against what three page caches would do that keep a block for ten minutes after it was read. */
class CachedReadsTest {
  private static final long KEPT = 600_000;
  private static final long START = 1_700_000_000_000L;

  /** So many reads, one after the other, each as much in the average as any. */
  private static CachedReads read(int count, long everyMillis, boolean isPart) {
    return read(count, everyMillis, isPart, 1);
  }

  private static CachedReads read(int count, long everyMillis, boolean isPart, float leaves) {
    CachedReads reads = new CachedReads();
    for (int read = 0; read < count; read++) {
      reads.read(START + read * everyMillis, isPart && read > 0, leaves, 1.0 / (read + 1), KEPT);
    }
    return reads;
  }

  @Test
  void whatIsReadOnceComesFromTheDisk() {
    assertEquals(1, read(1, 0, false).fromDisk());
    assertEquals(1, read(1, 0, false).fromDiskAtBlock());
  }

  @Test
  void readersAtOnceReadEachReplicaOnce() {
    assertEquals(3, 100 * read(100, 1, false).fromDisk(), 0.01);
    assertEquals(3, 100 * read(100, 1, true).fromDiskAtBlock(), 0.01);
  }

  @Test
  void opensThatShareAFileReadDifferentBlocks() {
    assertEquals(1, read(100, 1, true).fromDisk());
  }

  @Test
  void whoComesLaterThanThatReadsFromTheDisk() {
    assertEquals(1, read(100, KEPT, false).fromDisk());
  }

  @Test
  void readersOfColumnsLeaveLess() {
    assertEquals((1 + Math.sqrt(2 / 3.0)) / 2, read(2, 1, false, 0.5f).fromDisk(), 1e-6);
  }

  /** Every minute a reader: ten of them in the time, at three replicas. */
  @Test
  void regularReadersLeaveLittle() {
    double left = read(10_000, KEPT / 10, false).fromDisk();
    assertTrue(left > Math.pow(2 / 3.0, 11) && left < Math.pow(2 / 3.0, 8), () -> "" + left);
  }
}
