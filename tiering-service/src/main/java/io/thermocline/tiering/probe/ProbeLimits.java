// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.probe;

import java.time.Duration;

/**
 * What probing one storage type may take.
 *
 * @param time for all of its steps together; a request that has begun is waited for
 * @param bytes to be written, and at most as many to be read
 */
public record ProbeLimits(Duration time, long bytes) {

  /** Least file that both kinds of read find a part of their own in, twice. */
  public static final long LEAST = 16L * TypeSpeed.REQUEST;

  /** The first one warms up. */
  static final int ROUNDS = 4;

  /** Of a round: each kind of read finds a part of its own. */
  static final long LEAST_ROUND = LEAST / 2 / ROUNDS;

  /** Write, write again, read in sequence, read at random. */
  static final int STEPS = 4;

  public ProbeLimits {
    if (time.toMillis() < 1 || bytes < LEAST) {
      throw new IllegalArgumentException(
          time + " and " + bytes + " bytes: expected a time, and at least " + LEAST + " bytes");
    }
  }

  long stepNanos() {
    return time.toNanos() / STEPS;
  }

  /** It is written twice. */
  long fileBytes() {
    return bytes / 2 / TypeSpeed.REQUEST * TypeSpeed.REQUEST;
  }
}
