// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk that turns: ST9500620NS of section 4. Of the requests that it knows it takes the one
 * that it comes to first (native command queueing); while nothing is asked, it reads on into its
 * buffer.
 *
 * <p>Bandwidth is the paper's. The rest is of the data sheet: 500 GB, 7,200 turns a minute, a
 * seek of 8.5 ms on average, 64 MB of buffer. A seek grows with the square root of the way
 * (Ruemmler and Wilkes, An introduction to disk drive modeling, 1994), from a millisecond to the
 * next track on.
 */
final class Disk implements Device {
  static final double BYTES_PER_SECOND = 160e6;

  private static final double BYTES = 500e9;
  private static final double TURN = 60 / 7200.0;
  private static final double TRACK_BYTES = BYTES_PER_SECOND * TURN;
  private static final double NEXT_TRACK = 1e-3;
  private static final double AVERAGE_SEEK = 8.5e-3;

  /** Of the way between two places anywhere, as a part of the whole. */
  private static final double AVERAGE_ROOT = 8 / 15.0;

  private static final double BUFFER = 64 << 20;

  /** Of the standard. */
  private static final int KNOWN = 32;

  private record Request(long place, long bytes, boolean write, Runnable done) {}

  private final Events events;
  private final List<Request> known = new ArrayList<>();
  private final ArrayDeque<Request> behind = new ArrayDeque<>();
  private boolean busy;
  private long end;
  private double freeAt;
  private double reached;
  private long served;

  Disk(Events events) {
    this.events = events;
  }

  @Override
  public void ask(long place, long bytes, boolean write, Runnable done) {
    Request request = new Request(place, bytes, write, done);
    if (known.size() < KNOWN) {
      known.add(request);
    } else {
      behind.add(request);
    }
    next();
  }

  private void next() {
    if (busy || known.isEmpty()) {
      return;
    }
    Request first = known.get(0);
    double least = reach(first);
    for (Request other : known) {
      double reach = reach(other);
      if (reach < least) {
        least = reach;
        first = other;
      }
    }
    known.remove(first);
    if (!behind.isEmpty()) {
      known.add(behind.remove());
    }
    busy = true;
    reached += least;
    served++;
    long ahead = buffered(first);
    double seconds = least + Math.max(0, first.bytes - ahead) / BYTES_PER_SECOND;
    end = Math.max(first.place + first.bytes, first.place + ahead);
    freeAt = events.now() + seconds;
    Runnable done = first.done;
    events.at(
        freeAt,
        () -> {
          busy = false;
          next();
          done.run();
        });
  }

  /** Bytes from its place on that were read ahead. */
  private long buffered(Request request) {
    long ahead = (long) Math.min(BUFFER, (events.now() - freeAt) * BYTES_PER_SECOND);
    return !request.write && request.place >= end && request.place <= end + ahead
        ? end + ahead - request.place
        : 0;
  }

  /** Seconds until the head is where the request begins. */
  private double reach(Request request) {
    if (buffered(request) > 0 || request.place == end && events.now() == freeAt) {
      return 0;
    }
    double way = Math.abs(request.place - end) / BYTES;
    double seek =
        way * BYTES < TRACK_BYTES
            ? 0
            : NEXT_TRACK + (AVERAGE_SEEK - NEXT_TRACK) * Math.sqrt(way) / AVERAGE_ROOT;
    double turned = (events.now() + seek) / TURN % 1;
    double wanted = request.place / TRACK_BYTES % 1;
    return seek + ((wanted - turned + 1) % 1) * TURN;
  }

  /** By how long it took to come to what was asked so far, as who reads can measure. */
  @Override
  public double wouldTake(long bytes) {
    double reach = served == 0 ? AVERAGE_SEEK + TURN / 2 : reached / served;
    double each = reach + bytes / BYTES_PER_SECOND;
    return (known.size() + behind.size() + (busy ? 1 : 0) + 1) * each;
  }
}
