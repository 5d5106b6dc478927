// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each kind of failure at most once a minute: a broken part of ours must not flood the host. */
final class RareLog {
  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);
  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanoTime;
  private final Map<PlacementCounters.Event, AtomicLong> due =
      new EnumMap<>(PlacementCounters.Event.class);

  RareLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    long now = nanoTime.getAsLong();
    for (PlacementCounters.Event event : PlacementCounters.Event.values()) {
      due.put(event, new AtomicLong(now));
    }
  }

  /** Says whether it was logged. */
  boolean warn(PlacementCounters.Event event, Throwable cause) {
    AtomicLong next = due.get(event);
    long now = nanoTime.getAsLong();
    long then = next.get();
    if (now - then < 0 || !next.compareAndSet(then, now + INTERVAL_NANOS)) {
      return false;
    }
    LOG.warn("{}; said at most once a minute", event.sentence(), cause);
    return true;
  }
}
