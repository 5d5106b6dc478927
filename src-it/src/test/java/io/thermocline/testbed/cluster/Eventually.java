// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assertions;

/**
 * Waits for a real cluster to get somewhere, by asking it until a deadline: generous, as it costs time only where a test
 * fails, and as it has to do on a machine with other work.
 */
public final class Eventually {

  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final Duration INTERVAL = Duration.ofMillis(50);

  private Eventually() {}

  /** Fails if the condition doesn't hold within two minutes. */
  public static void holds(String what, Callable<Boolean> condition) {
    holds(what, DEADLINE, condition);
  }

  /** Fails if the condition doesn't hold within so much time. */
  public static void holds(String what, Duration limit, Callable<Boolean> condition) {
    holds(what, limit, INTERVAL, condition);
  }

  /** The same, where it takes long to tell. */
  public static void holds(
      String what, Duration limit, Duration interval, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (!condition.call()) {
        if (System.nanoTime() - deadline > 0) {
          Assertions.fail("Not within " + limit.toSeconds() + " s: " + what);
        }
        LockSupport.parkNanos(interval.toNanos());
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(what, e);
    }
  }
}
