// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.placement.model.SystemRuntime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waits for other processes, in the machine's time: they live in no other. */
@SystemRuntime
final class Deadline {

  private static final long INTERVAL_MILLIS = 50;

  private Deadline() {}

  /** Something that may hold sooner or later, or turn out never to. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws IOException;
  }

  /**
   * Returns when the condition holds.
   *
   * @param detail added to the message
   * @throws IOException if it doesn't in time
   */
  static void await(Duration limit, String what, Condition condition, Supplier<String> detail)
      throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(
            "Not within %d s: %s%s".formatted(limit.toSeconds(), what, detail.get()));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("Interrupted").initCause(e);
      }
    }
  }
}
