// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.tiering.act.MoveListener;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** What becomes of copies, and how many were under way. Thread-safe. */
final class Copies implements MoveListener {
  private final LongSupplier nanos;
  private final Map<String, Long> begun = new HashMap<>();
  private int open;
  private int shown;
  private long firstNanos;
  private long lastNanos;
  private long copyingNanos;
  private String failure = "";

  /**
   * @param copies in all
   */
  Copies(int copies, LongSupplier nanos) {
    this.nanos = nanos;
    this.open = copies;
  }

  @Override
  public synchronized void changed(Move move, MoveState state, String detail) {
    long now = nanos.getAsLong();
    if (state == MoveState.COPYING) {
      firstNanos = begun.isEmpty() ? now : firstNanos;
      begun.put(move.id(), now);
    } else if (state == MoveState.COPIED) {
      copyingNanos += now - begun.get(move.id());
      lastNanos = now;
    } else if (state == MoveState.VISIBLE || state == MoveState.VERIFIED) {
      shown++;
    } else {
      failure = move.path() + " " + state + ": " + detail;
    }
    if (state.isFinal()) {
      open--;
      notifyAll();
    }
  }

  /**
   * Returns when each is at its end.
   *
   * @throws IOException where one isn't verified
   */
  synchronized void awaitVerified() throws IOException, InterruptedException {
    while (open > 0 && failure.isEmpty()) {
      wait();
    }
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
  }

  /** When the last DataNode said that it has its copy. */
  synchronized long lastNanos() {
    return lastNanos;
  }

  /** How many were under way on average, from the first that began to the last that was made. */
  synchronized double atOnce() {
    return (double) copyingNanos / (lastNanos - firstNanos);
  }
}
