// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Server metrics of one host that a NameNode doesn't know of by itself, as far as given. Immutable.
 *
 * <p>Source: CHOICE, table 1.
 */
public final class HostMetrics {
  private final OptionalLong freeMemory;
  private final OptionalDouble cpu;
  private final OptionalLong latency;
  private final OptionalLong journal;

  HostMetrics(
      OptionalLong freeMemory, OptionalDouble cpu, OptionalLong latency, OptionalLong journal) {
    this.freeMemory = freeMemory;
    this.cpu = cpu;
    this.latency = latency;
    this.journal = journal;
  }

  /** Bytes of memory that hold nothing, or nothing but a cache. */
  public OptionalLong freeMemory() {
    return freeMemory;
  }

  /** Share of all processors in use, 0 to 1. */
  public OptionalDouble cpu() {
    return cpu;
  }

  /** Of one request, in nanoseconds. */
  public OptionalLong latency() {
    return latency;
  }

  /** Bytes in the journal that aren't flushed. */
  public OptionalLong journal() {
    return journal;
  }
}
