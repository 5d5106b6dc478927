// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import com.github.benmanes.caffeine.cache.CaffeineSketch;
import io.thermocline.tiering.heat.BloomHotnessTable;
import io.thermocline.tiering.heat.FingerprintHotnessTable;
import io.thermocline.tiering.heat.HotnessTable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongToDoubleFunction;
import org.apache.datasketches.frequencies.LongsSketch;

/** The structures that {@link HeatCommand} compares, each made for an amount of memory. */
enum HeatPeers {
  /** The service's own. */
  OURS {
    @Override
    HeatPeer make(long bytes) {
      return new OfTable(new FingerprintHotnessTable(bytes, 0, 1));
    }
  },
  /** The paper's layout: four hashes, counters of 32 bits. */
  SUORA {
    @Override
    HeatPeer make(long bytes) {
      BloomHotnessTable table = new BloomHotnessTable((int) (bytes / Integer.BYTES), 0);
      return new OfCalls(table::add, table::estimate, table.bytes());
    }
  },
  /** Four counters of 16 bits in one cache line, conservative update. */
  BLOCKED {
    @Override
    HeatPeer make(long bytes) {
      return new BlockedCounters(bytes);
    }
  },
  CAFFEINE {
    @Override
    HeatPeer make(long bytes) {
      CaffeineSketch sketch = new CaffeineSketch(bytes / Long.BYTES);
      return new OfCalls(
          (key, reads) -> {
            for (int i = 0; i < Math.min(reads, 16); i++) {
              sketch.increment(key);
            }
          },
          sketch::frequency,
          sketch.bytes());
    }
  },
  /** DataSketches' frequent items: Misra and Gries. */
  DATASKETCHES {
    @Override
    HeatPeer make(long bytes) {
      // Per slot a key, a value and a state: 18 bytes.
      int slots = (int) Long.highestOneBit(Math.max(8, bytes / 18));
      LongsSketch sketch = new LongsSketch(slots);
      return new OfCalls(sketch::update, sketch::getLowerBound, 18L * slots);
    }
  },
  /** Exact, of as much memory as it takes. */
  CHM {
    @Override
    HeatPeer make(long bytes) {
      ConcurrentMap<Long, LongAdder> map = new ConcurrentHashMap<>();
      return new OfCalls(
          (key, reads) -> map.computeIfAbsent(key, same -> new LongAdder()).add(reads),
          key -> {
            LongAdder reads = map.get(key);
            return reads == null ? 0 : reads.sum();
          },
          0);
    }
  };

  abstract HeatPeer make(long bytes);

  /** Counts reads of an item. */
  private interface Adding {
    void add(long key, int reads);
  }

  /** One without decay. */
  private record OfCalls(Adding adding, LongToDoubleFunction estimating, long bytes)
      implements HeatPeer {
    @Override
    public void add(long key, int reads) {
      adding.add(key, reads);
    }

    @Override
    public double estimate(long key) {
      return estimating.applyAsDouble(key);
    }
  }

  private static final class OfTable implements HeatPeer {
    private final HotnessTable table;
    private long step;

    OfTable(HotnessTable table) {
      this.table = table;
    }

    @Override
    public void add(long key, int reads) {
      table.add(key, reads);
    }

    @Override
    public double estimate(long key) {
      return table.estimate(key);
    }

    @Override
    public long bytes() {
      return table.bytes();
    }

    @Override
    public void cool() {
      table.coolTo(++step);
    }
  }
}
