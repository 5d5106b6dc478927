// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What is cached and which replication factors are raised, by path, and what deciding on more of them depends on. Immutable.
 *
 * @param cached by directives of ours that are in force
 * @param raised replication factors that are as we set them
 * @param memory bytes of DataNodes' memory that there are for all that we cache, what is cached included
 * @param recent times of the last accesses of a path, latest first, milliseconds since 1970; none where not known
 */
public record CurrentActions(
    Map<String, Cached> cached,
    Map<String, Raised> raised,
    long memory,
    Function<String, List<Long>> recent) {

  /** Nothing is up, and there is no memory. */
  public static final CurrentActions NOTHING =
      new CurrentActions(Map.of(), Map.of(), 0, path -> List.of());

  public CurrentActions {
    cached = Map.copyOf(cached);
    raised = Map.copyOf(raised);
  }

  /**
   * A file in the cache.
   *
   * @param copies of each block
   * @param bytes of memory that they take
   */
  public record Cached(int copies, long bytes) {}

  /**
   * A replication factor.
   *
   * @param before what it was and goes back to
   * @param now what we made it
   */
  public record Raised(int before, int now) {}

  boolean isNothing() {
    return cached.isEmpty() && raised.isEmpty();
  }

  boolean isUp(String path) {
    return cached.containsKey(path) || raised.containsKey(path);
  }
}
