// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.util.Locale;

/** Numbers as people read them. */
final class Quantities {
  private static final String[] BYTES = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  private static final double THOUSAND = 1000;

  private Quantities() {}

  /** Powers of 1000, three digits: 16.9 TB. */
  static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= THOUSAND - 0.5 && unit < BYTES.length - 1) {
      value /= THOUSAND;
      unit++;
    }
    return number(value) + " " + BYTES[unit];
  }

  /** 3.21 s, 45.0 ms, 12.0 us; a dash where there is none. */
  static String seconds(double seconds) {
    if (Double.isNaN(seconds)) {
      return "-";
    }
    if (seconds >= 1) {
      return number(seconds) + " s";
    }
    return seconds >= 1e-3 ? number(seconds * 1e3) + " ms" : number(seconds * 1e6) + " us";
  }

  /** 1,105 h. */
  static String hours(double seconds) {
    return number(seconds / 3_600) + " h";
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  /** Three digits. */
  static String number(double value) {
    int decimals = value >= 100 || value == 0 ? 0 : value >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
