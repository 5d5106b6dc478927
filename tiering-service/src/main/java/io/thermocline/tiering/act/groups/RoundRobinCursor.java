// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * So much of a list at a time, going on where it ended: what would ask the NameNode about
 * everything asks about a part with each look, so that a look's length doesn't grow with what
 * there is. One thread.
 */
public final class RoundRobinCursor<T> {
  private final ToLongFunction<T> id;
  private final ToIntFunction<T> cost;
  private final int most;
  private long after = Long.MIN_VALUE;

  /**
   * @param id by which the list is gone through; the same with each look
   * @param cost of one
   * @param most of all that are taken at once
   */
  public RoundRobinCursor(ToLongFunction<T> id, ToIntFunction<T> cost, int most) {
    this.id = id;
    this.cost = cost;
    this.most = most;
  }

  /** The next ones; one at least, even where it costs too much alone. */
  public List<T> next(Collection<T> all) {
    List<T> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingLong(id));
    int start = 0;
    while (start < sorted.size() && id.applyAsLong(sorted.get(start)) <= after) {
      start++;
    }
    List<T> taken = new ArrayList<>();
    int spent = 0;
    for (int i = 0; i < sorted.size(); i++) {
      T each = sorted.get((start + i) % sorted.size());
      spent += cost.applyAsInt(each);
      if (spent > most && !taken.isEmpty()) {
        break;
      }
      taken.add(each);
    }
    if (!taken.isEmpty()) {
      after = id.applyAsLong(taken.get(taken.size() - 1));
    }
    return taken;
  }
}
