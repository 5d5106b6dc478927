// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.Wear;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * What moves wrote to storage types that wear, over the last day, against what they may (SUORA, section 3.2). Not
 * thread-safe.
 */
public final class FlashWrites {
  private static final Duration DAY = Duration.ofDays(1);

  private final Map<StorageType, Long> perDay;
  private final Map<StorageType, Deque<Written>> written = new EnumMap<>(StorageType.class);

  private record Written(Instant at, long bytes) {}

  /**
   * @param perDay bytes that moves may write to all storages of a type in a day, at least 1; a type that isn't there
   *     may be written without end
   */
  public FlashWrites(Map<StorageType, Long> perDay) {
    this.perDay = Map.copyOf(perDay);
  }

  /** Counts a move that was carried out; in order of time. */
  public void written(StorageType type, long bytes, Instant at) {
    if (perDay.containsKey(type)) {
      written.computeIfAbsent(type, first -> new ArrayDeque<>()).add(new Written(at, bytes));
    }
  }

  /** The state of each type's budget for a day. */
  public Map<StorageType, Wear> wear(Instant now) {
    Map<StorageType, Wear> wear = new EnumMap<>(StorageType.class);
    perDay.forEach(
        (type, budget) -> {
          Deque<Written> past = written.getOrDefault(type, new ArrayDeque<>());
          while (!past.isEmpty() && !past.peek().at.isAfter(now.minus(DAY))) {
            past.remove();
          }
          wear.put(type, Wear.of(budget, past.stream().mapToLong(Written::bytes).sum()));
        });
    return wear;
  }
}
