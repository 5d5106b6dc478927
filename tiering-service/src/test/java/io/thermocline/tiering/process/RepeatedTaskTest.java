// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatedTaskTest {

  /** A scheduled task that threw once was never run again. */
  @ParameterizedTest
  @ValueSource(
      classes = {IllegalStateException.class, StackOverflowError.class, OutOfMemoryError.class})
  void runsAgainAfterAFailure(Class<? extends Throwable> failure) throws Exception {
    Throwable thrown = failure.getConstructor(String.class).newInstance("of a test");
    CountDownLatch runs = new CountDownLatch(3);
    Runnable task =
        () -> {
          runs.countDown();
          RepeatedTaskTest.<RuntimeException>raise(thrown);
        };
    ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    try {
      executor.scheduleWithFixedDelay(
          new RepeatedTask("a test", task, () -> 0), 0, 1, TimeUnit.MILLISECONDS);
      assertTrue(runs.await(10, TimeUnit.SECONDS), "it ran " + (3 - runs.getCount()) + " times");
    } finally {
      executor.shutdownNow();
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void raise(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void logsALastingFailureFromTimeToTime() {
    FailureLog log = new FailureLog();
    IOException failure = new IOException("a");
    assertTrue(log.isNews(failure, 0));
    assertFalse(log.isNews(failure, 500_000_000_000L));
    assertTrue(log.isNews(failure, 600_000_000_000L));
    assertTrue(log.isNews(new IOException("b"), 600_000_000_000L));
    assertTrue(log.isOver());
    assertFalse(log.isOver());
  }
}
