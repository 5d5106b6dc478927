// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A device behind the memory of its node, as Linux has it: pages that were read or written stay until the longest unused go,
 * a read that follows another has what comes next read ahead, and who asks for a page that is on its way waits for it.
 * The same for every scheme. One thread.
 */
final class PageCache implements Device {
  /** Of a node's 16 GB. */
  static final long BYTES = 2L << 30;

  /** What Linux reads ahead (read_ahead_kb). */
  private static final long AHEAD = 128 << 10;

  private static final long LEAST_PAGE = 4 << 10;
  private static final long MOST_PAGE = 512 << 10;

  private final Device device;
  private final long page;
  private final Map<Long, Boolean> pages;
  private final Map<Long, List<Runnable>> coming = new HashMap<>();

  /**
   * @param bytes of a request, of which the pages are
   */
  PageCache(Device device, long bytes) {
    this.device = device;
    this.page = Math.min(MOST_PAGE, Math.max(LEAST_PAGE, bytes));
    this.pages =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > BYTES / page;
          }
        };
  }

  @Override
  public void ask(long place, long bytes, boolean write, Runnable done) {
    if (write) {
      device.ask(
          place,
          bytes,
          true,
          () -> {
            keep(place, bytes);
            done.run();
          });
      return;
    }
    for (long at = place / page; at * page < place + bytes; at++) {
      List<Runnable> waiting = coming.get(at);
      if (waiting != null) {
        waiting.add(() -> ask(place, bytes, false, done));
        return;
      }
    }
    boolean follows = place % Storage.OBJECT_BYTES > 0 && pages.containsKey(place / page - 1);
    if (has(place, bytes)) {
      done.run();
    } else {
      read(place, bytes, done);
    }
    long next = place + bytes;
    if (follows && next % Storage.OBJECT_BYTES > 0 && !has(next, 1) && bytes <= AHEAD) {
      long left = Storage.OBJECT_BYTES - next % Storage.OBJECT_BYTES;
      read(next, Math.min(AHEAD, left), () -> {});
    }
  }

  private void read(long place, long bytes, Runnable done) {
    List<Runnable> waiting = new ArrayList<>();
    for (long at = place / page; at * page < place + bytes; at++) {
      coming.putIfAbsent(at, waiting);
    }
    device.ask(
        place,
        bytes,
        false,
        () -> {
          coming.values().removeIf(each -> each == waiting);
          keep(place, bytes);
          done.run();
          waiting.forEach(Runnable::run);
        });
  }

  private void keep(long place, long bytes) {
    for (long at = place / page; at * page < place + bytes; at++) {
      pages.put(at, true);
    }
  }

  /** Whether a read of this would need no device. */
  boolean has(long place, long bytes) {
    for (long at = place / page; at * page < place + bytes; at++) {
      if (!pages.containsKey(at)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public double wouldTake(long bytes) {
    return device.wouldTake(bytes);
  }
}
