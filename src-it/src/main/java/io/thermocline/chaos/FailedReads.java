// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which fault each read failed for: the last one that takes the file away from readers, and went
 * on while the read did or was over for a short time only. Monotonic nanoseconds. Thread-safe.
 */
final class FailedReads {

  /** By the faults that keep clients from reading: how long after, and whether only of one file. */
  private static final Map<Fault, Reach> REASONS =
      new EnumMap<>(
          Map.of(
              // Clients try for so long what they lost. Where another NameNode takes over, they
              // find
              // it: that explains no failed read.
              Fault.NAMENODE_RESTART, new Reach(Duration.ofSeconds(30).toNanos(), false),
              Fault.DATANODE_KILL, new Reach(Duration.ofSeconds(30).toNanos(), false),
              // Who asked for its name just before.
              Fault.RENAME, new Reach(Duration.ofSeconds(1).toNanos(), true),
              Fault.DELETE, new Reach(Duration.ofSeconds(1).toNanos(), true)));

  private final List<During> faults = new ArrayList<>();
  private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

  private record Reach(long afterNanos, boolean isOneFile) {}

  private record During(Fault fault, int file, long fromNanos, long toNanos) {
    boolean explains(int read, long from, long to) {
      Reach reach = REASONS.get(fault);
      return reach != null
          && (!reach.isOneFile || file == read)
          && fromNanos <= to
          && toNanos >= from;
    }
  }

  /**
   * It goes on until {@link #ended}.
   *
   * @param file that it befalls, where it befalls a file
   */
  synchronized void began(Fault fault, int file, long nanos) {
    faults.add(new During(fault, file, nanos, Long.MAX_VALUE));
  }

  /** The one that began last is over: what it took away is back, or gone for good. */
  synchronized void ended(long nanos) {
    During last = faults.remove(faults.size() - 1);
    Reach reach = REASONS.get(last.fault);
    long after = reach == null ? 0 : reach.afterNanos;
    faults.add(new During(last.fault, last.file, last.fromNanos, nanos + after));
  }

  /**
   * Counts a read of a file that failed.
   *
   * @return why; empty where no fault explains it
   */
  synchronized Optional<Fault> failed(int file, long fromNanos, long toNanos) {
    Optional<Fault> reason =
        faults.stream()
            .filter(each -> each.explains(file, fromNanos, toNanos))
            .reduce((first, second) -> second)
            .map(During::fault);
    reason.ifPresent(fault -> counts.merge(fault, 1, Integer::sum));
    return reason;
  }

  /** How many failed for each of the faults that reads may fail for. */
  synchronized Map<Fault, Integer> counts() {
    Map<Fault, Integer> all = new EnumMap<>(Fault.class);
    REASONS.keySet().forEach(fault -> all.put(fault, counts.getOrDefault(fault, 0)));
    return all;
  }
}
