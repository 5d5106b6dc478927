// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the reads of each of the hottest files' blocks, as clienttrace tells them, from one taking to the next. About 100
 * bytes for each block that is read. Thread-safe.
 */
public final class BlockTally {

  private Map<Long, BlockReads> byId = new HashMap<>();

  synchronized void count(long blockId, Transfer read, long bytes) {
    BlockReads one =
        read == Transfer.SEQUENTIAL_READ
            ? new BlockReads(1, bytes, 0, 0)
            : new BlockReads(0, 0, 1, bytes);
    byId.merge(blockId, one, BlockReads::plus);
  }

  /** What was counted since the last time, by block id; counting begins anew. */
  public synchronized Map<Long, BlockReads> take() {
    Map<Long, BlockReads> taken = byId;
    byId = new HashMap<>();
    return taken;
  }
}
