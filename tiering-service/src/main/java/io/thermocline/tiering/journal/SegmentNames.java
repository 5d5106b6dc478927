// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of numbered segments, which sort as their numbers do. */
final class SegmentNames {

  private static final Pattern NUMBERED = Pattern.compile(".*/journal-(\\d{10})\\.jsonl");

  private SegmentNames() {}

  static String of(long number) {
    return String.format("journal-%010d.jsonl", number);
  }

  static boolean isNumbered(String path) {
    return NUMBERED.matcher(path).matches();
  }

  /** The highest among these paths, in order; 0 where none is numbered. */
  static long last(List<String> paths) {
    return paths.stream()
        .filter(SegmentNames::isNumbered)
        .mapToLong(SegmentNames::number)
        .max()
        .orElse(0);
  }

  /** Of a path that {@link #isNumbered}. */
  static long number(String path) {
    Matcher matcher = NUMBERED.matcher(path);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(path + " is no numbered segment");
    }
    return Long.parseLong(matcher.group(1));
  }
}
