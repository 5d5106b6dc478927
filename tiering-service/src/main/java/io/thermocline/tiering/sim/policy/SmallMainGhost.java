// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * S3-FIFO (Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023, algorithm 1), by bytes: newcomers pass a small
 * queue, and enter the main one where they were accessed again there, or soon after they had left it.
 */
final class SmallMainGhost implements CachePolicy.Cache {
  private static final int SMALL_PART = 10;
  private static final int MOST_COUNTED = 3;

  private final long capacity;
  private final Map<Integer, Entry> entries = new HashMap<>();
  private final Queue small = new Queue();
  private final Queue main = new Queue();

  /** Bytes of files that left the small queue, the oldest first: as many as the main queue holds. */
  private final Map<Integer, Long> ghosts = new LinkedHashMap<>();

  private long ghostBytes;

  private static final class Entry {
    private final int file;
    private final long bytes;
    private int count;

    Entry(int file, long bytes) {
      this.file = file;
      this.bytes = bytes;
    }
  }

  private static final class Queue {
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long bytes;

    void add(Entry entry) {
      entries.addFirst(entry);
      bytes += entry.bytes;
    }

    Entry takeOldest() {
      Entry oldest = entries.removeLast();
      bytes -= oldest.bytes;
      return oldest;
    }
  }

  SmallMainGhost(long capacity) {
    this.capacity = capacity;
  }

  @Override
  public void accessed(int file, long bytes, List<Integer> evicted) {
    Entry known = entries.get(file);
    if (known != null) {
      known.count = Math.min(MOST_COUNTED, known.count + 1);
      return;
    }
    while (small.bytes + main.bytes + bytes > capacity) {
      evict(evicted);
    }
    Entry entry = new Entry(file, bytes);
    entries.put(file, entry);
    Long ghost = ghosts.remove(file);
    if (ghost != null) {
      ghostBytes -= ghost;
      main.add(entry);
    } else {
      small.add(entry);
    }
  }

  private void evict(List<Integer> evicted) {
    if (small.bytes >= capacity / SMALL_PART && !small.entries.isEmpty()
        || main.entries.isEmpty()) {
      evictFromSmall(evicted);
    } else {
      evictFromMain(evicted);
    }
  }

  private void evictFromSmall(List<Integer> evicted) {
    while (!small.entries.isEmpty()) {
      Entry oldest = small.takeOldest();
      if (oldest.count <= 1) {
        entries.remove(oldest.file);
        evicted.add(oldest.file);
        remember(oldest);
        return;
      }
      main.add(oldest);
    }
  }

  private void evictFromMain(List<Integer> evicted) {
    while (true) {
      Entry oldest = main.takeOldest();
      if (oldest.count == 0) {
        entries.remove(oldest.file);
        evicted.add(oldest.file);
        return;
      }
      oldest.count--;
      main.add(oldest);
    }
  }

  private void remember(Entry left) {
    ghosts.put(left.file, left.bytes);
    ghostBytes += left.bytes;
    Iterator<Long> oldest = ghosts.values().iterator();
    while (ghostBytes > capacity - capacity / SMALL_PART) {
      ghostBytes -= oldest.next();
      oldest.remove();
    }
  }

  @Override
  public List<Integer> content() {
    List<Integer> content = new ArrayList<>();
    main.entries.forEach(entry -> content.add(entry.file));
    small.entries.forEach(entry -> content.add(entry.file));
    return content;
  }
}
