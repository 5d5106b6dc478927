// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The operations of the last minutes that a NameNode handed to its audit loggers, as it counts them for its users with the
 * most calls ({@code dfs.namenode.top.enabled}). Other counters of a NameNode are as old as the period of its metrics, these
 * are of the moment. Immutable.
 */
final class RecentOperations {

  static final RecentOperations NONE = new RecentOperations(Map.of());

  /** By the window's length in milliseconds. */
  private final Map<Long, Map<Operation, Long>> windows;

  private RecentOperations(Map<Long, Map<Operation, Long>> windows) {
    this.windows = windows;
  }

  /** @param top the attribute TopUserOpCounts of a NameNode */
  static RecentOperations of(JsonNode top) {
    Map<Long, Map<Operation, Long>> windows = new HashMap<>();
    for (JsonNode window : top.path("windows")) {
      Map<Operation, Long> counts = new EnumMap<>(Operation.class);
      for (JsonNode op : window.path("ops")) {
        byte[] name = op.path("opType").asText().getBytes(StandardCharsets.UTF_8);
        counts.merge(Operation.of(name, 0, name.length), op.path("totalCount").asLong(), Long::sum);
      }
      windows.put(window.path("windowLenMs").asLong(), counts);
    }
    return new RecentOperations(windows);
  }

  /**
   * How many operations of these kinds there were since an earlier look, at least. Operations leave a window while others
   * enter it, so each window tells a lower bound.
   */
  long since(RecentOperations earlier, Predicate<Operation> kinds) {
    long max = 0;
    for (Map.Entry<Long, Map<Operation, Long>> window : windows.entrySet()) {
      Map<Operation, Long> before = earlier.windows.getOrDefault(window.getKey(), Map.of());
      long more = 0;
      for (Map.Entry<Operation, Long> count : window.getValue().entrySet()) {
        if (kinds.test(count.getKey())) {
          more += Math.max(0, count.getValue() - before.getOrDefault(count.getKey(), 0L));
        }
      }
      max = Math.max(max, more);
    }
    return max;
  }
}
