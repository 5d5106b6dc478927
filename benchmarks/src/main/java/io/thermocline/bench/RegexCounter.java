// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one writes first: a regular expression of the line, and a map of counters by path. It counts
 * opens alone, knows nothing of renames and deletes, leaves paths escaped, and its memory grows with
 * the paths.
 */
final class RegexCounter implements LineCounter {

  private static final Pattern LINE =
      Pattern.compile(
          "allowed=(\\S+)\\tugi=([^\\t]+)\\tip=/?([^\\t]+)\\tcmd=([^\\t]+)"
              + "\\tsrc=([^\\t]+)\\tdst=([^\\t]+)\\tperm=([^\\t]+)");

  private final ConcurrentMap<String, LongAdder> reads = new ConcurrentHashMap<>();

  @Override
  public void accept(String line) {
    Matcher matcher = LINE.matcher(line);
    if (matcher.find() && matcher.group(1).equals("true") && matcher.group(4).equals("open")) {
      reads.computeIfAbsent(matcher.group(5), path -> new LongAdder()).increment();
    }
  }

  @Override
  public long reads() {
    return reads.values().stream().mapToLong(LongAdder::sum).sum();
  }
}
