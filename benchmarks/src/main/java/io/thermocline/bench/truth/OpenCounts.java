// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;

/** What simple rules make of an audit log: they take each open line for an access. */
final class OpenCounts {
  private static final String OPEN = "\tcmd=open\tsrc=";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final int TIME_LENGTH = 23;

  /** SSM's example rules: more than three accesses in five minutes lift a file, an hour without one lowers it. */
  private static final int SSM_ACCESSES = 4;

  private static final long SSM_WINDOW_MILLIS = 300_000;
  private static final long SSM_REST_MILLIS = 3_600_000;

  private static final Opens NONE = new Opens();

  private final Map<String, Opens> files = new HashMap<>();
  private long lastMillis;

  private static final class Opens {
    private final long[] last = new long[SSM_ACCESSES];
    private long count;
    private boolean isLifted;

    void add(long millis) {
      if (count > 0 && millis - lastMillis() > SSM_REST_MILLIS) {
        isLifted = false;
      }
      last[(int) (count++ % SSM_ACCESSES)] = millis;
      long first = last[(int) (count % SSM_ACCESSES)];
      isLifted |= count >= SSM_ACCESSES && millis - first < SSM_WINDOW_MILLIS;
    }

    long lastMillis() {
      return count == 0 ? 0 : last[(int) ((count - 1) % SSM_ACCESSES)];
    }
  }

  OpenCounts(Path log) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int open = line.indexOf(OPEN);
        if (open >= 0) {
          int path = open + OPEN.length();
          lastMillis =
              LocalDateTime.parse(line.substring(0, TIME_LENGTH), TIME)
                  .toInstant(ZoneOffset.UTC)
                  .toEpochMilli();
          files
              .computeIfAbsent(line.substring(path, line.indexOf('\t', path)), any -> new Opens())
              .add(lastMillis);
        }
      }
    }
  }

  private Opens of(String path) {
    return files.getOrDefault(path, NONE);
  }

  long opens(String path) {
    return of(path).count;
  }

  /** Milliseconds since 1970; 0 where it was never opened. */
  long lastOpen(String path) {
    return of(path).lastMillis();
  }

  /** 2 where SSM's rules hold the file on the fast type, 1 where they leave it, 0 where they lower it. */
  int ssm(String path) {
    Opens opens = of(path);
    if (opens.count == 0 || lastMillis - opens.lastMillis() > SSM_REST_MILLIS) {
      return 0;
    }
    return opens.isLifted ? 2 : 1;
  }
}
