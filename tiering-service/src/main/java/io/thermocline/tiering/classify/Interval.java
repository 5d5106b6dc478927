// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

/** Numbers from {@code from} on, below {@code to}. */
public record Interval(double from, double to) {

  public static final Interval ALL =
      new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

  public Interval {
    if (!(from < to)) {
      throw new IllegalArgumentException("from " + from + " below " + to + " is empty");
    }
  }

  /** False for NaN, except where all numbers are in it; true for infinity where there is no end. */
  public boolean contains(double value) {
    return this.equals(ALL)
        || (value >= from && (value < to || value == to && Double.isInfinite(to)));
  }

  @Override
  public String toString() {
    return "[" + from + ", " + to + ")";
  }
}
