// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last epochs, moved on by one at the end of each (section 3.3.2, algorithm 1). */
public final class SlidingWindow<E> {
  private final int epochs;
  private final Deque<E> recent = new ArrayDeque<>();

  /**
   * @param epochs at least 1
   */
  public SlidingWindow(int epochs) {
    this.epochs = epochs;
  }

  /** The epochs that count now, the oldest first: as many as there were, at most those of the window. */
  public List<E> moveOn(E last) {
    recent.add(last);
    if (recent.size() > epochs) {
      recent.remove();
    }
    return List.copyOf(recent);
  }
}
