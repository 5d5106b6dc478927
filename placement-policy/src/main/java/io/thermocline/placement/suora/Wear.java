// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/**
 * How much of a device's life is written off: bytes written against the bytes its maker warrants (TBW).
 * Immutable. Source: SUORA, section 3.2 and algorithm 3, line 8.
 *
 * <p>A worn-out device is passed over, not removed: it keeps what it holds and its range of the line, so
 * that nothing else moves, and takes part again once its budget is corrected.
 */
public final class Wear {
  private final long budgetBytes;
  private final long writtenBytes;

  private Wear(long budgetBytes, long writtenBytes) {
    this.budgetBytes = budgetBytes;
    this.writtenBytes = writtenBytes;
  }

  /**
   * The wear of a device.
   *
   * @param budgetBytes it may be written in all, at least 1
   * @param writtenBytes it has been, at least 0
   * @throws IllegalArgumentException if one of them is out of its range
   */
  public static Wear of(long budgetBytes, long writtenBytes) {
    if (budgetBytes < 1) {
      throw new IllegalArgumentException(
          "a wear budget is at least 1 byte, got " + budgetBytes + "; leave it out for none");
    }
    if (writtenBytes < 0) {
      throw new IllegalArgumentException("written bytes can't be negative, got " + writtenBytes);
    }
    return new Wear(budgetBytes, writtenBytes);
  }

  /** Bytes that may be written in all. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Bytes that the budget has left; 0 where it is exceeded. */
  public long leftBytes() {
    return Math.max(0, budgetBytes - writtenBytes);
  }

  @Override
  public String toString() {
    return writtenBytes + " of " + budgetBytes + " bytes";
  }
}
