// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import java.util.ArrayDeque;
import java.util.Deque;

/** The sliding window: the last epochs as one, moved on by an epoch each time. */
final class RecentEpochs {
  private final int window;
  private final Deque<Epoch> recent = new ArrayDeque<>();

  /**
   * @param window in epochs, at least 1
   */
  RecentEpochs(int window) {
    this.window = window;
  }

  Epoch and(Epoch last) {
    recent.add(last);
    if (recent.size() > window) {
      recent.remove();
    }
    return last.withAll(recent);
  }
}
