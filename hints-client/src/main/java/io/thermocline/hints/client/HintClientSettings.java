// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import io.thermocline.hints.wire.HintJson;

/** How much a {@link HintClient} may keep, and how patient it is. Immutable. */
public final class HintClientSettings {
  /** 10,000 hints (some MB), 200 in a batch, a tenth of a second of waiting for more, 3 attempts. */
  public static final HintClientSettings DEFAULT =
      new HintClientSettings(10_000, 200, 100, 3, 1_000, 2_000);

  private final int queueLength;
  private final int batch;
  private final long lingerMillis;
  private final int attempts;
  private final long retryMillis;
  private final long closeMillis;

  private HintClientSettings(
      int queueLength,
      int batch,
      long lingerMillis,
      int attempts,
      long retryMillis,
      long closeMillis) {
    this.queueLength = atLeast(1, "queue length", queueLength);
    this.batch = Math.min(HintJson.MAX_BATCH, atLeast(1, "batch", batch));
    this.lingerMillis = atLeast(0, "linger", lingerMillis);
    this.attempts = atLeast(1, "attempts", attempts);
    this.retryMillis = atLeast(0, "retry", retryMillis);
    this.closeMillis = atLeast(0, "close", closeMillis);
  }

  /** With another bound on the hints that wait. */
  public HintClientSettings queueLength(int hints) {
    return new HintClientSettings(hints, batch, lingerMillis, attempts, retryMillis, closeMillis);
  }

  /** With other batches: most hints in one, and how long it waits for more, in milliseconds. */
  public HintClientSettings batches(int hints, long waitMillis) {
    return new HintClientSettings(
        queueLength, hints, waitMillis, attempts, retryMillis, closeMillis);
  }

  /** With other attempts, and milliseconds before the second one, which double each time. */
  public HintClientSettings attempts(int most, long firstWaitMillis) {
    return new HintClientSettings(
        queueLength, batch, lingerMillis, most, firstWaitMillis, closeMillis);
  }

  /** With another bound on what closing waits for the last hints. */
  public HintClientSettings closeMillis(long millis) {
    return new HintClientSettings(queueLength, batch, lingerMillis, attempts, retryMillis, millis);
  }

  int queueLength() {
    return queueLength;
  }

  int batch() {
    return batch;
  }

  long lingerMillis() {
    return lingerMillis;
  }

  int attempts() {
    return attempts;
  }

  long retryMillis() {
    return retryMillis;
  }

  long closeMillis() {
    return closeMillis;
  }

  private static int atLeast(int least, String what, int value) {
    return (int) atLeast((long) least, what, value);
  }

  private static long atLeast(long least, String what, long value) {
    if (value < least) {
      throw new IllegalArgumentException(
          "hint client: " + what + " is " + value + "; allowed: at least " + least);
    }
    return value;
  }
}
