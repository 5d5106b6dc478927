// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as reports show them. */
final class Figures {
  private Figures() {}

  static String fixed(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  static double round(int digits, double value) {
    return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP).doubleValue();
  }
}
