// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * So many requests a second for each of those seen last, and ten seconds' worth of them at once; who is forgotten begins anew.
 * Thread-safe.
 *
 * <p>A leaky bucket as one time for each (GCRA, ITU-T I.371): when it would be empty, if nothing more came.
 */
public final class RateLimit {

  /** Seconds' worth that may come at once: a page is a burst of files. */
  private static final int BURST_SECONDS = 10;

  /** Who was seen the longest time ago is forgotten first: that only lets more through. */
  private static final int MOST_KNOWN = 10_000;

  private final long nanosEach;
  private final LongSupplier nanos;
  private final Map<String, Long> emptyAt =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  /**
   * @param perSecond at least 1
   * @param nanos monotonic
   */
  public RateLimit(int perSecond, LongSupplier nanos) {
    this.nanosEach = Duration.ofSeconds(1).toNanos() / perSecond;
    this.nanos = nanos;
  }

  /** Counts a request of somebody, or says how long they are to wait; then it isn't counted. */
  public synchronized Optional<Duration> take(String who) {
    long now = nanos.getAsLong();
    Long known = emptyAt.get(who);
    // Compared by difference: a monotonic clock may begin below zero.
    long filled = known == null ? 0 : Math.max(0, known - now);
    long over = filled + nanosEach - Duration.ofSeconds(BURST_SECONDS).toNanos();
    if (over > 0) {
      return Optional.of(Duration.ofNanos(over));
    }
    emptyAt.put(who, now + filled + nanosEach);
    return Optional.empty();
  }
}
