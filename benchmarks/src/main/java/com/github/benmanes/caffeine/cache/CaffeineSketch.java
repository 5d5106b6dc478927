// SPDX-License-Identifier: Apache-2.0
package com.github.benmanes.caffeine.cache;

/** Opens Caffeine's frequency sketch, which is its cache's own, to the benchmark. */
public final class CaffeineSketch {
  private final FrequencySketch sketch = new FrequencySketch();

  public CaffeineSketch(long counters) {
    sketch.ensureCapacity(counters);
  }

  public void increment(long key) {
    sketch.increment(key);
  }

  /** At most 15. */
  public int frequency(long key) {
    return sketch.frequency(key);
  }

  public long bytes() {
    return 8L * sketch.table.length;
  }
}
