// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import java.time.Duration;

/**
 * How hints are taken.
 *
 * @param rates what hot and warm stand for
 * @param maxLease longest lease; a longer one is refused, or cut where it stands on a file
 * @param maxPerOwner hints that one owner may have in force
 * @param maxTotal hints that all owners together may have in force, see {@link #within}
 * @param operationsPerOwner of these, how many may ask for an operation ({@link Hints#isOperation})
 * @param askBefore how long before the end of a lease its owner is asked; a quarter of the lease at most
 * @param unusedAfter after this, or half the lease, the owner of what is hinted hot and wasn't read is asked
 * @param answerWithin silence for so long after that ends such a hint
 */
public record HintSettings(
    HintRates rates,
    Duration maxLease,
    int maxPerOwner,
    int maxTotal,
    int operationsPerOwner,
    Duration askBefore,
    Duration unusedAfter,
    Duration answerWithin) {

  public static final HintSettings DEFAULT =
      new HintSettings(
          HintRates.DEFAULT,
          Duration.ofDays(30),
          10_000,
          200_000,
          1_000,
          Duration.ofHours(1),
          Duration.ofHours(12),
          Duration.ofHours(1));

  private static final int BYTES_EACH = 1_200;

  /**
   * These, with as many hints of all owners as take a quarter of the heap at most.
   *
   * @param heapBytes that the process may have
   */
  public HintSettings within(long heapBytes) {
    long fit = Math.max(1, heapBytes / 4 / BYTES_EACH);
    return fit >= maxTotal
        ? this
        : new HintSettings(
            rates,
            maxLease,
            maxPerOwner,
            (int) fit,
            operationsPerOwner,
            askBefore,
            unusedAfter,
            answerWithin);
  }
}
