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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads as simple filters find them in an audit log: opens of a file by one client within ten seconds are one read,
 * and an application that opens more than 256 files of a directory once each within ten minutes scans, which doesn't
 * count.
 */
final class WindowedReads {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final Pattern OPEN =
      Pattern.compile(
          "^(\\S+ \\S+) .*\\tugi=(\\S+).*\\tip=(\\S*)\\tcmd=open\\tsrc=([^\\t]*)\\t[^\\n]*?(?:\\tcallerContext=([^\\t]*))?$");
  private static final Pattern YARN_NUMBER = Pattern.compile("_(\\d{8,}_\\d+)");
  private static final Pattern PARTITION = Pattern.compile("/[^/=]+=.*");

  private static final long WINDOW_MILLIS = 10_000;
  private static final long SCAN_MILLIS = 600_000;
  private static final int SCAN_FILES = 256;

  private final Map<String, Long> reads = new HashMap<>();

  /** Of each client and file, when a read of it began. */
  private final Map<String, Long> begun = new HashMap<>();

  private final Map<String, Pass> passes = new HashMap<>();

  /** What one application opened in one directory. */
  private static final class Pass {
    private final long began;
    private final Set<String> opened = new HashSet<>();
    private boolean isScan;
    private long last;

    Pass(long began) {
      this.began = began;
      this.last = began;
    }

    boolean isOver(long now) {
      return now - (isScan ? last : began) > SCAN_MILLIS;
    }
  }

  WindowedReads(Path log) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher open = OPEN.matcher(line);
        if (open.matches()) {
          long now =
              LocalDateTime.parse(open.group(1), TIME).toInstant(ZoneOffset.UTC).toEpochMilli();
          open(now, open.group(2), open.group(3), open.group(4), open.group(5));
        }
      }
    }
  }

  /** Reads of a file that count. */
  long of(String path) {
    return reads.getOrDefault(path, 0L);
  }

  private void open(long now, String user, String address, String path, String context) {
    String key = user + '\t' + address + '\t' + context + '\t' + path;
    Long before = begun.get(key);
    if (before != null && now - before < WINDOW_MILLIS) {
      return;
    }
    begun.put(key, now);
    Matcher number = YARN_NUMBER.matcher(context == null ? "" : context);
    String application = user + '\t' + (number.find() ? number.group(1) : address);
    Matcher partition = PARTITION.matcher(path);
    String directory =
        partition.find()
            ? path.substring(0, partition.start())
            : path.substring(0, path.lastIndexOf('/'));
    String of = application + '\t' + directory;
    Pass pass = passes.get(of);
    if (pass == null || pass.isOver(now) || pass.opened.contains(path)) {
      pass = new Pass(now);
      passes.put(of, pass);
    }
    pass.last = now;
    pass.opened.add(path);
    if (pass.isScan) {
      return;
    }
    reads.merge(path, 1L, Long::sum);
    if (pass.opened.size() > SCAN_FILES) {
      pass.isScan = true;
      pass.opened.forEach(each -> reads.merge(each, -1L, Long::sum));
    }
  }
}
