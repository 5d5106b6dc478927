// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import io.thermocline.tiering.sim.device.SimDevice;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Copies parts between pools behind the requests: a piece at a time is read from one device, then written to the
 * other, each in its queue, no faster than a given rate. One at a time, in the order given. Not thread-safe.
 */
final class Migration {
  private static final long PIECE = 1 << 20;

  /** One part's way from pool to pool. */
  record Hop(long part, int from, int to, boolean arrives) {}

  private final List<SimDevice> devices;
  private final double bytesPerSecond;
  private final Deque<Hop> hops = new ArrayDeque<>();
  private long done;
  private boolean writing;
  private double nextAt = Double.POSITIVE_INFINITY;
  private double pieceBegan;
  private long copied;

  Migration(List<SimDevice> devices, double bytesPerSecond) {
    this.devices = devices;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Drops what was not yet copied, and begins with these. */
  void replace(List<Hop> others, double seconds) {
    hops.clear();
    hops.addAll(others);
    done = 0;
    writing = false;
    nextAt = hops.isEmpty() ? Double.POSITIVE_INFINITY : seconds;
  }

  /** When it has something to do next. */
  double nextAt() {
    return nextAt;
  }

  /** Bytes read in one pool and written in another. */
  long copied() {
    return copied;
  }

  /** Parts that were not copied yet. */
  int waiting() {
    return hops.size();
  }

  /**
   * Does what is due at {@link #nextAt}.
   *
   * @return the hop that it finished, or null
   */
  Hop step() {
    Hop hop = hops.peek();
    long offset = hop.part() * Extents.PART + done;
    if (!writing) {
      pieceBegan = nextAt;
      nextAt = devices.get(hop.from()).serve(nextAt, offset, PIECE, false);
      writing = true;
      return null;
    }
    double end = devices.get(hop.to()).serve(nextAt, offset, PIECE, true);
    writing = false;
    copied += PIECE;
    done += PIECE;
    nextAt = Math.max(end, pieceBegan + PIECE / bytesPerSecond);
    if (done < Extents.PART) {
      return null;
    }
    hops.remove();
    done = 0;
    if (hops.isEmpty()) {
      nextAt = Double.POSITIVE_INFINITY;
    }
    return hop;
  }
}
