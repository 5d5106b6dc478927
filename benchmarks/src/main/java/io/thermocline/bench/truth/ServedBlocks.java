// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What DataNodes say in their clienttrace logs at DEBUG that they read of each block. Not thread-safe. */
final class ServedBlocks {
  private static final Pattern READ =
      Pattern.compile("bytes: (\\d+), op: HDFS_READ,.* blockid: \\S*blk_(\\d+)_");

  /** On the wire each 512 bytes of data have four of a checksum. */
  private static final double DATA = 512.0 / 516;

  private final Map<Long, long[]> blocks = new HashMap<>();

  void add(String log) {
    log.lines()
        .forEach(
            line -> {
              Matcher read = READ.matcher(line);
              if (read.find()) {
                long[] sum =
                    blocks.computeIfAbsent(Long.valueOf(read.group(2)), any -> new long[2]);
                sum[0]++;
                sum[1] += Math.round(Long.parseLong(read.group(1)) * DATA);
              }
            });
  }

  long reads(long block) {
    return blocks.getOrDefault(block, new long[2])[0];
  }

  long bytes(long block) {
    return blocks.getOrDefault(block, new long[2])[1];
  }
}
