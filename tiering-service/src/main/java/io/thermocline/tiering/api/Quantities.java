// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.Locale;

/** Numbers as people read them. */
public final class Quantities {

  private static final String[] BYTES = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  private static final double UNIT = 1024;
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Quantities() {}

  /** Powers of 1024, as in the configuration: 16.9 TB. */
  public static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= UNIT - 0.5 && unit < BYTES.length - 1) {
      value /= UNIT;
      unit++;
    }
    return number(value) + " " + BYTES[unit];
  }

  /** 2 d 3 h, 5 m 20 s, 3.2 s. */
  public static String seconds(double seconds) {
    long whole = Math.round(seconds);
    if (whole >= DAY) {
      return whole / DAY + " d " + whole % DAY / HOUR + " h";
    } else if (whole >= HOUR) {
      return whole / HOUR + " h " + whole % HOUR / MINUTE + " m";
    } else if (whole >= MINUTE) {
      return whole / MINUTE + " m " + whole % MINUTE + " s";
    }
    return number(seconds) + " s";
  }

  /** 1 file, 2 files. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  /** Three digits; whole numbers as they are. */
  static String number(double value) {
    int decimals = value >= 100 || value == Math.rint(value) ? 0 : value >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
