// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenBucketTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void paysForWhatIsTakenAtItsRate() {
    TokenBucket bytes = new TokenBucket(100, 1, 0);
    bytes.take(100, 0);
    assertEquals(0, bytes.nanosUntilPaid(0), "what was saved up");
    bytes.take(50, 0);
    assertEquals(SECOND / 2, bytes.nanosUntilPaid(0));
    assertEquals(SECOND / 4, bytes.nanosUntilPaid(SECOND / 4));
    assertEquals(0, bytes.nanosUntilPaid(SECOND / 2));
  }

  @Test
  void letsThroughWhatIsLargerThanASecondsWorthAndWaitsAfterwards() {
    TokenBucket bytes = new TokenBucket(100, 1, 0);
    assertEquals(0, bytes.nanosUntilPaid(0));
    bytes.take(1000, 0);
    assertEquals(9 * SECOND, bytes.nanosUntilPaid(0));
  }

  @Test
  void savesUpForNoLongerThanItMay() {
    TokenBucket bytes = new TokenBucket(100, 1, 0);
    bytes.take(200, 1000 * SECOND);
    assertEquals(SECOND, bytes.nanosUntilPaid(1000 * SECOND));
    TokenBucket little = new TokenBucket(100, 0.5, 0);
    little.take(200, 1000 * SECOND);
    assertEquals(3 * SECOND / 2, little.nanosUntilPaid(1000 * SECOND));
  }

  @Test
  void needsARate() {
    assertThrows(IllegalArgumentException.class, () -> new TokenBucket(0, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new TokenBucket(Double.NaN, 1, 0));
  }

  @Test
  void keepsCallsOfTheNameNodeWithinTheirBudget() {
    AtomicLong nanos = new AtomicLong();
    OperationBudget calls =
        new OperationBudget(10, nanos::get, wait -> nanos.addAndGet(wait.toNanos()));
    for (int i = 0; i < 110; i++) {
      calls.take();
    }
    assertEquals(110, calls.made());
    assertEquals(Duration.ofSeconds(10), Duration.ofNanos(nanos.get()));
  }
}
