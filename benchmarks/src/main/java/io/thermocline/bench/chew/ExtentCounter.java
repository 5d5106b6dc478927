// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import io.thermocline.tiering.classify.AccessClass;
import io.thermocline.tiering.classify.Accesses;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the requests of one window by extents of one size, and tells what each request is: sequential where it
 * begins within 512 KB of where the one before ended or began (section 3.2.3, after Guerra et al.), overwriting where most
 * of what it writes was written in this window before. For traces of block
 * devices. Not thread-safe.
 */
final class ExtentCounter {
  private static final long NEAR = 512 << 10;
  private static final long PAGE = 4096;

  /*
   * Several streams interleave, and each is sequential by itself; so a request is compared with the last ones of its
   * own extent's neighbourhood and not with whatever came before it. A small random write next to the one before
   * would count as sequential by distance alone: only going on from the end, or closely after it, does.
   */
  private final long extentBytes;
  private final Map<Long, Accesses> extents = new TreeMap<>();
  private final Map<Long, Long> ends = new HashMap<>();
  private final Map<Long, BitSet> written = new HashMap<>();

  /**
   * @param extentBytes a multiple of 4096
   */
  ExtentCounter(long extentBytes) {
    if (extentBytes <= 0 || extentBytes % PAGE != 0) {
      throw new IllegalArgumentException(
          "extents of " + extentBytes + " bytes: must be a multiple of " + PAGE);
    }
    this.extentBytes = extentBytes;
  }

  /** Counts a request, under the extent where it begins. */
  AccessClass count(boolean write, long offset, long bytes) {
    long extent = offset / extentBytes;
    boolean sequential = isSequential(extent, offset);
    AccessClass kind;
    if (!write) {
      kind = sequential ? AccessClass.SEQUENTIAL_READ : AccessClass.RANDOM_READ;
    } else if (mark(extent, offset - extent * extentBytes, bytes)) {
      kind = AccessClass.OVERWRITE;
    } else {
      kind = sequential ? AccessClass.SEQUENTIAL_WRITE : AccessClass.RANDOM_WRITE;
    }
    ends.put(extent, offset + bytes);
    extents.merge(extent, Accesses.NONE.plus(kind, 1, bytes), Accesses::plus);
    return kind;
  }

  private boolean isSequential(long extent, long offset) {
    Long end = ends.get(extent);
    if (end == null) {
      end = ends.get(extent - 1);
    }
    return end != null && offset >= end && offset - end <= NEAR;
  }

  /** Whether most of its pages were written already; they are now. */
  private boolean mark(long extent, long offset, long bytes) {
    BitSet pages = written.computeIfAbsent(extent, key -> new BitSet());
    int first = (int) (offset / PAGE);
    int after = (int) ((offset + Math.max(1, bytes) + PAGE - 1) / PAGE);
    int before = pages.get(first, after).cardinality();
    pages.set(first, after);
    return 2 * before > after - first;
  }

  /** What was counted, by index of the extent, in order. */
  Map<Long, Accesses> accesses() {
    return Map.copyOf(extents);
  }
}
