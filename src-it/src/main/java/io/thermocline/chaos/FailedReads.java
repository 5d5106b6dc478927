// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which fault each read failed for: the last one that takes files away from readers, and went on
 * while the read did or was over for a short time only. Monotonic nanoseconds. Thread-safe.
 */
final class FailedReads {

  /** Clients try for so long what they lost, and DataNodes take as long to be back. */
  private static final long AFTER_NANOS = Duration.ofSeconds(30).toNanos();

  /** Of the others none keeps a client from reading. */
  private static final Set<Fault> REASONS =
      EnumSet.of(Fault.NAMENODE_RESTART, Fault.DATANODE_KILL, Fault.RENAME, Fault.DELETE);

  private final List<During> faults = new ArrayList<>();
  private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

  private record During(Fault fault, long fromNanos, long toNanos) {}

  /** It goes on until {@link #ended}. */
  synchronized void began(Fault fault, long nanos) {
    faults.add(new During(fault, nanos, Long.MAX_VALUE));
  }

  /** The one that began last is over. */
  synchronized void ended(long nanos) {
    During last = faults.remove(faults.size() - 1);
    faults.add(new During(last.fault, last.fromNanos, nanos + AFTER_NANOS));
  }

  /**
   * Counts a read that failed.
   *
   * @return why; empty where no fault explains it
   */
  synchronized Optional<Fault> failed(long fromNanos, long toNanos) {
    Optional<Fault> reason =
        faults.stream()
            .filter(each -> REASONS.contains(each.fault))
            .filter(each -> each.fromNanos <= toNanos && each.toNanos >= fromNanos)
            .reduce((first, second) -> second)
            .map(During::fault);
    reason.ifPresent(fault -> counts.merge(fault, 1, Integer::sum));
    return reason;
  }

  /** How many failed for which. */
  synchronized Map<Fault, Integer> counts() {
    return new EnumMap<>(counts);
  }
}
