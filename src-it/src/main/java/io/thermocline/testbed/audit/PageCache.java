// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** What of its blocks a DataNode's host holds in memory: those read last, as many as fit. Not thread-safe. */
final class PageCache {
  private final long capacity;

  /** Bytes of each block, the one read last at the end. */
  private final Map<Long, Long> held = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;

  /** @param capacity in bytes */
  PageCache(long capacity) {
    this.capacity = capacity;
  }

  /** Reads so many bytes of a block, always the same first ones; tells how many of these come from the disk. */
  long read(long block, long wanted) {
    long before = held.getOrDefault(block, 0L);
    long missed = Math.max(0, wanted - before);
    if (missed > 0 && wanted <= capacity) {
      held.put(block, wanted);
      bytes += missed;
      Iterator<Map.Entry<Long, Long>> oldest = held.entrySet().iterator();
      while (bytes > capacity) {
        bytes -= oldest.next().getValue();
        oldest.remove();
      }
    }
    return missed;
  }
}
