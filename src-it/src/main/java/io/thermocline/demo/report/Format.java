// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import java.util.Locale;

/** Numbers as the page shows them: decimal units, no locale. */
final class Format {

  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Format() {}

  /** 0.6123 as "61 %", 0.0213 as "2.1 %": two digits are enough to read, one is not. */
  static String percent(double share) {
    double percent = share * 100;
    return number(percent, percent > 0 && percent < 9.95 ? 1 : 0) + "\u00a0%";
  }

  /** Decimal units: 1 kB is 1000 bytes, as throughput and capacities of devices are given. */
  static String bytes(double bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    return number(value, unit > 0 && value < 99.5 ? 1 : 0) + "\u00a0" + UNITS[unit];
  }

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** With so many decimals, but none that is only zeros: "2", "2.5". */
  static String number(double value, int decimals) {
    String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
    return decimals > 0 && text.endsWith("0") ? text.replaceFirst("\\.?0+$", "") : text;
  }
}
