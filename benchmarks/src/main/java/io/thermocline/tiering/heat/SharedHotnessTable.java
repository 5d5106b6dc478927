// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A {@link FingerprintHotnessTable} that several threads add to, without a lock: no read is lost or counted
 * twice. Which thread's reads come first is not determined, and so not the rounding either. Any thread may
 * ask. Measures what several writers would cost: the service has one (docs/decisions/0004-hotness-counters.md).
 */
public final class SharedHotnessTable implements HotnessTable {

  /*
   * The table is split by key. Who finds a part free takes it by one compare-and-set, adds, and leaves; who
   * finds it taken puts the read into the part's queue and goes on: the taker empties the queue, and looks
   * once more after leaving. So nobody waits for a thread that was stopped in the middle, unless a whole queue of
   * reads of one part has come in meanwhile.
   *
   * Queue: bounded, many producers; a slot is published by a count that isn't 0.
   */
  private static final int QUEUE = 1024;

  private final Part[] parts;

  private static final class Part {
    final FingerprintHotnessTable table;
    final AtomicBoolean taken = new AtomicBoolean();
    final AtomicLongArray keys = new AtomicLongArray(QUEUE);
    final AtomicLongArray counts = new AtomicLongArray(QUEUE);
    final AtomicLong head = new AtomicLong();
    final AtomicLong tail = new AtomicLong();

    Part(FingerprintHotnessTable table) {
      this.table = table;
    }

    boolean offer(long key, int reads) {
      long at;
      do {
        at = tail.get();
        if (at - head.get() >= QUEUE) {
          return false;
        }
      } while (!tail.compareAndSet(at, at + 1));
      int slot = (int) at & QUEUE - 1;
      keys.setPlain(slot, key);
      counts.set(slot, reads);
      return true;
    }

    boolean isQueued() {
      return counts.get((int) head.get() & QUEUE - 1) != 0;
    }

    /** By the taker only. */
    void addQueued() {
      long at = head.get();
      for (int slot = (int) at & QUEUE - 1; ; slot = (int) at & QUEUE - 1) {
        int reads = (int) counts.get(slot);
        if (reads == 0) {
          return;
        }
        table.add(keys.getPlain(slot), reads);
        counts.setPlain(slot, 0);
        head.setRelease(++at);
      }
    }

    /** Adds what is queued unless somebody else is at it, who will. */
    void settle() {
      while (isQueued() && taken.compareAndSet(false, true)) {
        addQueued();
        taken.set(false);
      }
    }
  }

  /**
   * @param bytes of memory at most
   * @param parts a power of two, some more than there are threads
   * @param seed of the rounding
   */
  public SharedHotnessTable(long bytes, int parts, long seed) {
    if (Integer.bitCount(parts) != 1 || parts > 1 << 12) {
      throw new IllegalArgumentException(parts + " parts: expected a power of two up to 4096");
    }
    this.parts = new Part[parts];
    for (int i = 0; i < parts; i++) {
      this.parts[i] = new Part(new FingerprintHotnessTable(bytes / parts, 0, seed + i));
    }
  }

  /**
   * @return as {@link HotnessTable#add}, or NaN where another thread is at it and will add these
   */
  @Override
  public double add(long key, int reads) {
    Part part = part(key);
    while (!part.taken.compareAndSet(false, true)) {
      if (part.offer(key, reads)) {
        part.settle();
        return Double.NaN;
      }
      Thread.onSpinWait();
    }
    double sum = part.table.add(key, reads);
    part.addQueued();
    part.taken.set(false);
    part.settle();
    return sum;
  }

  /** Reads that are still queued are not in it. */
  @Override
  public double estimate(long key) {
    return part(key).table.estimate(key);
  }

  @Override
  public void coolTo(long step) {
    for (Part part : parts) {
      while (!part.taken.compareAndSet(false, true)) {
        Thread.onSpinWait();
      }
      part.addQueued();
      part.table.coolTo(step);
      part.taken.set(false);
      part.settle();
    }
  }

  @Override
  public long bytes() {
    long bytes = 0;
    for (Part part : parts) {
      bytes += part.table.bytes();
    }
    return bytes;
  }

  /** By bits that choose nothing inside a part. */
  private Part part(long key) {
    return parts[(int) (key >>> 20) & parts.length - 1];
  }
}
