// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times as log4j writes them, in UTC. Not thread-safe. */
final class LogTimes {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,");

  private final StringBuilder text = new StringBuilder();
  private long second = Long.MIN_VALUE;
  private String said;

  /** The same object each time. */
  CharSequence of(long millis) {
    if (millis / 1000 != second) {
      second = millis / 1000;
      said = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC).format(SECOND);
    }
    int rest = (int) (millis % 1000);
    text.setLength(0);
    return text.append(said).append(rest / 100).append(rest / 10 % 10).append(rest % 10);
  }
}
