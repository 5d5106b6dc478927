// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import java.util.Objects;

/**
 * What can be known of a server, by name. Two metrics of one name are the same. Immutable. A policy of
 * one's own may name a metric of its own.
 */
public final class Metric {
  /** Steps in the network tree from the client; 0 is the client's own host, 2 its rack. */
  public static final Metric DISTANCE = named("network.distance", "steps");

  /** RAM that nothing uses, so that it can cache. No heartbeat carries it. */
  public static final Metric MEMORY_FREE = named("memory.free", "bytes");

  /** Busy share of all processors, 0 to 1. */
  public static final Metric CPU_USED = named("cpu.used", "share");

  /** Share of the capacity that can't take new blocks, 0 to 1. */
  public static final Metric DISK_USED = named("disk.used", "share");

  public static final Metric DISK_CAPACITY = named("disk.capacity", "bytes");
  public static final Metric DISK_REMAINING = named("disk.remaining", "bytes");

  /** Mean of the recent writes. */
  public static final Metric WRITE_LATENCY = named("write.latency", "ms");

  /** What a write-ahead log holds that isn't in place yet. HDFS has none. */
  public static final Metric JOURNAL_UNFLUSHED = named("journal.unflushed", "bytes");

  /** Transfer threads of a DataNode in use. */
  public static final Metric XCEIVERS = named("xceivers", "threads");

  public static final Metric CACHE_CAPACITY = named("cache.capacity", "bytes");
  public static final Metric CACHE_USED = named("cache.used", "bytes");
  public static final Metric CACHE_REMAINING = named("cache.remaining", "bytes");

  /** 1 for a node that its peers report as slow, else 0. */
  public static final Metric SLOW = named("peer.slow", "reported");

  private final String name;
  private final String unit;

  private Metric(String name, String unit) {
    this.name = name;
    this.unit = unit;
  }

  /**
   * A metric of that name.
   *
   * @throws IllegalArgumentException if the name is empty
   */
  public static Metric named(String name, String unit) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a metric needs a name, got an empty string");
    }
    return new Metric(name, Objects.requireNonNull(unit, "unit"));
  }

  public String name() {
    return name;
  }

  /** For people. */
  public String unit() {
    return unit;
  }

  @Override
  public boolean equals(Object other) {
    return other == this || other instanceof Metric && ((Metric) other).name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
