// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

/** Checks of the records' fields. The report must not draw what cannot be. */
final class Require {
  private Require() {}

  static long notNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + " is " + value + "; at least 0 expected");
    }
    return value;
  }

  static double notNegative(String field, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          field + " is " + value + "; a finite number of at least 0 expected");
    }
    return value;
  }

  static double share(String field, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(field + " is " + value + "; a share of 0 to 1 expected");
    }
    return value;
  }
}
