// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The audit log files of all NameNodes as one stream of accesses, in the order of their times as far as lines are there. One
 * thread polls; the counts may be read from any.
 *
 * <p>All NameNodes of a nameservice are read: only the active one writes, and which one that is changes.
 */
public final class AuditSource implements AccessSource {

  private static final long MILLIS_BETWEEN_MEASUREMENTS = 10_000;

  private final List<AuditStream> streams = new ArrayList<>();
  private final Clock clock;
  private long measuredMillis = Long.MIN_VALUE / 2;
  private volatile Completeness completeness = Completeness.UNKNOWN;

  /**
   * @param start where to begin in logs of which the checkpoint doesn't know
   * @param saved where to go on
   * @param clock for lines that say no time
   */
  public AuditSource(
      List<AuditLog> logs,
      LogStart start,
      AccessSettings settings,
      SourceCheckpoint saved,
      Clock clock)
      throws IOException {
    this.clock = clock;
    for (AuditLog log : logs) {
      streams.add(new AuditStream(log, start, settings, saved));
    }
  }

  @Override
  public boolean poll(Consumer<? super Access> sink, long maxBytes) throws IOException {
    long now = clock.millis();
    long stop = bytes() + maxBytes;
    try {
      while (bytes() < stop) {
        AuditStream first = null;
        long others = Long.MAX_VALUE;
        for (AuditStream stream : streams) {
          if (stream.peek(now)) {
            if (first == null || stream.millis() < first.millis()) {
              others = first == null ? others : Math.min(others, first.millis());
              first = stream;
            } else {
              others = Math.min(others, stream.millis());
            }
          }
        }
        if (first == null) {
          return false;
        }
        first.take(others, now, stop - bytes(), sink);
      }
      return true;
    } finally {
      streams.forEach(AuditStream::publish);
    }
  }

  private long bytes() {
    long sum = 0;
    for (AuditStream stream : streams) {
      sum += stream.bytes();
    }
    return sum;
  }

  /**
   * Asks the NameNodes for their counters, where it is time to. To be called by the thread that polls, when the logs were
   * read to their ends; waits for an answer for some seconds at most.
   */
  public void measureCompleteness() throws InterruptedException {
    long now = clock.millis();
    if (now - measuredMillis < MILLIS_BETWEEN_MEASUREMENTS) {
      return;
    }
    measuredMillis = now;
    long counted = 0;
    long audited = 0;
    long discarded = 0;
    for (AuditStream stream : streams) {
      Completeness one = stream.measure(now);
      counted += one.counted();
      audited += one.audited();
      discarded += one.discarded();
    }
    completeness = new Completeness(counted, audited, discarded);
  }

  /** How much of what the NameNodes did stands in their logs, over the last minutes. */
  public Completeness completeness() {
    return completeness;
  }

  @Override
  public SourceCheckpoint checkpoint() throws IOException {
    Map<String, String> positions = new HashMap<>();
    Map<String, byte[]> windows = new HashMap<>();
    for (AuditStream stream : streams) {
      LogPosition position = stream.position();
      if (position != null) {
        positions.put(stream.name(), position.toText());
        windows.put(stream.name(), stream.windows());
      }
    }
    return new SourceCheckpoint(new LogPositions(positions), windows);
  }

  @Override
  public LineCounts counts() {
    return streams.stream().map(AuditStream::counts).reduce(LineCounts.NONE, LineCounts::plus);
  }

  @Override
  public void close() throws IOException {
    for (AuditStream stream : streams) {
      stream.close();
    }
  }
}
