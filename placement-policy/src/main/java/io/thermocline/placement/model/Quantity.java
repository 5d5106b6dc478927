// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers with units, read strictly: a number without a unit means nothing, and {@code 3Tb} isn't
 * guessed at.
 */
final class Quantity {
  private static final Pattern NUMBER_AND_UNIT =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)([^0-9.].*)?");
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,62}");

  private static final Map<String, BigDecimal> BYTES = new LinkedHashMap<>();
  private static final Map<String, BigDecimal> TIMES = new LinkedHashMap<>();

  static {
    BYTES.put("B", BigDecimal.ONE);
    String[] prefixes = {"K", "M", "G", "T", "P"};
    for (int i = 0; i < prefixes.length; i++) {
      BYTES.put(prefixes[i] + "B", BigDecimal.valueOf(1000).pow(i + 1));
      BYTES.put(prefixes[i] + "iB", BigDecimal.valueOf(1024).pow(i + 1));
    }
    TIMES.put("ns", BigDecimal.ONE);
    TIMES.put("us", BigDecimal.valueOf(1_000));
    TIMES.put("ms", BigDecimal.valueOf(1_000_000));
    TIMES.put("s", BigDecimal.valueOf(1_000_000_000));
  }

  private Quantity() {}

  static long bytes(String text) {
    return scaled(text, "", BYTES);
  }

  static long bytesPerSecond(String text) {
    return positive(scaled(text, "/s", BYTES));
  }

  static long nanoseconds(String text) {
    return scaled(text, "", TIMES);
  }

  /** 100 % is 1,000,000. */
  static long millionthsOfPercentage(String text) {
    Map<String, BigDecimal> percent = new LinkedHashMap<>();
    percent.put("%", BigDecimal.valueOf(10_000));
    long value = scaled(text, "", percent);
    if (value > 1_000_000) {
      throw new IllegalArgumentException("'" + text + "' is more than 100%");
    }
    return value;
  }

  static String name(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no name: lower-case letters, digits, '-', '_' and '.' make one");
    }
    return text;
  }

  static long positive(long value) {
    if (value == 0) {
      throw new IllegalArgumentException("it must be more than 0");
    }
    return value;
  }

  private static long scaled(String text, String per, Map<String, BigDecimal> units) {
    Matcher parts = NUMBER_AND_UNIT.matcher(text);
    String unit = parts.matches() && parts.group(2) != null ? parts.group(2) : "";
    BigDecimal scale =
        unit.endsWith(per) ? units.get(unit.substring(0, unit.length() - per.length())) : null;
    if (scale == null) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a number with one of the units "
              + String.join(per + ", ", units.keySet())
              + per);
    }
    BigDecimal value = new BigDecimal(parts.group(1)).multiply(scale);
    if (value.toBigInteger().bitLength() >= Long.SIZE) {
      throw new IllegalArgumentException("'" + text + "' is more than can be");
    }
    return value.longValue();
  }
}
