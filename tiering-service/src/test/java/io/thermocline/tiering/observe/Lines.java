// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Audit lines for tests, and what is made of them. */
final class Lines {

  private Lines() {}

  /** A line of Hadoop 3, with its newline, so many milliseconds after 2026-11-20 10:00. */
  static String at(long millis, String user, String command, String source) {
    return at(millis, user, command, source, "null", "");
  }

  static String at(
      long millis, String user, String command, String source, String destination, String more) {
    long seconds = millis / 1000;
    return "2026-11-20 %02d:%02d:%02d,%03d INFO FSNamesystem.audit: allowed=true\tugi=%s (auth:SIMPLE)\tip=/10.0.0.1\tcmd=%s\tsrc=%s\tdst=%s\tperm=null\tproto=rpc%s\n"
        .formatted(
            10 + seconds / 3600,
            seconds / 60 % 60,
            seconds % 60,
            millis % 1000,
            user,
            command,
            source,
            destination,
            more);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What is made of lines, of whatever kind, by one feed. */
  static List<SeenAccess> read(LineFeed feed, String text) {
    List<SeenAccess> seen = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty()) {
        byte[] bytes = bytes(line);
        feed.line(bytes, 0, bytes.length, 0, access -> seen.add(SeenAccess.of(access)));
      }
    }
    feed.publish();
    return seen;
  }

  /** Of the nameservice "ns". */
  static LineFeed feed(AccessSettings settings) {
    return new LineFeed("ns", settings, ZoneOffset.UTC);
  }

  static List<String> brief(List<SeenAccess> accesses) {
    return accesses.stream().map(SeenAccess::brief).toList();
  }

  /** Their times, in milliseconds after 2026-11-20 10:00. */
  static List<Long> times(List<SeenAccess> accesses) {
    long start = Instant.parse("2026-11-20T10:00:00Z").toEpochMilli();
    return accesses.stream().map(access -> access.timeMillis() - start).toList();
  }

  /** Makes a file longer, without a newline and without using the disk. */
  static void appendHole(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[1]), channel.size() + bytes - 1);
    }
  }
}
