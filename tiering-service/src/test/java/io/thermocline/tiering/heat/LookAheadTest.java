// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.observe.LineFeed;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines of a file are looked at many at a time, and what they ask for is fetched ahead: nothing comes of it but speed.
 */
class LookAheadTest {

  private static final int LINES = 6_000;
  private static final String NAMESERVICE = "ns";
  private static final HeatSettings SETTINGS =
      new HeatSettings(Duration.ofSeconds(40), 1 << 16, 50, 1_000, 100);
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void givesWhatOneLineAfterTheOtherGives(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> lines = lines(random);
    AccessSettings settings =
        new AccessSettings(
            Duration.ofSeconds(10), 8, Duration.ofMinutes(10), AccessSettings.Ignored.nothing());

    Heat expected = new Heat(SETTINGS, NAMESERVICE);
    LineFeed feed = new LineFeed(NAMESERVICE, settings, ZoneOffset.UTC);
    for (byte[] line : lines) {
      // Without what Heat would fetch ahead.
      feed.line(line, 0, line.length, 0, expected::accept);
    }
    feed.publish();

    Path log = directory.resolve("audit.log");
    Files.write(log, joined(lines));
    Heat heat = new Heat(SETTINGS, NAMESERVICE);
    AuditSource source = source(log, settings, SourceCheckpoint.none());
    boolean more = true;
    while (more) {
      // In pieces, which end anywhere among the lines that were looked at, and at times begin anew.
      more = source.poll(heat, 1 + random.nextInt(40_000));
      if (random.nextInt(4) == 0) {
        SourceCheckpoint saved = source.checkpoint();
        source.close();
        source = source(log, settings, saved);
      }
    }
    LineCounts counts = source.counts();
    source.close();

    assertEquals(feed.counts(), counts, () -> "seed " + seed);
    assertTrue(
        counts.opens().shared() > 0 && counts.opens().scanned() > 0, () -> "a poor mix: " + counts);
    assertTrue(counts.malformed() > 0, () -> "a poor mix: " + counts);
    assertArrayEquals(state(expected), state(heat), () -> "seed " + seed);
  }

  private static AuditSource source(Path log, AccessSettings settings, SourceCheckpoint saved)
      throws IOException {
    return new AuditSource(
        List.of(new AuditLog(NAMESERVICE, log, ZoneOffset.UTC, null)),
        LogStart.BEGINNING,
        settings,
        saved,
        CLOCK);
  }

  private byte[] state(Heat heat) throws IOException {
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(file, heat.freeze(), new byte[0]);
    return Files.readAllBytes(file);
  }

  private static List<byte[]> lines(SplittableRandom random) {
    List<byte[]> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      byte[] line = line(random, i * 50).getBytes(StandardCharsets.UTF_8);
      int cut = random.nextInt(50);
      lines.add(cut == 0 ? Arrays.copyOf(line, random.nextInt(line.length)) : line);
    }
    return lines;
  }

  private static String line(SplittableRandom random, int millis) {
    String source = path(random);
    String destination = "null";
    String command =
        switch (random.nextInt(24)) {
          case 0, 1 -> "create";
          case 2 -> "delete";
          case 3 -> "append";
          case 4 -> "setReplication";
          case 5, 6, 7 -> "getfileinfo";
          case 8 -> "listStatus";
          case 9, 10 -> {
            destination = path(random);
            yield random.nextBoolean() ? "rename" : "rename (options=[TO_TRASH])";
          }
          case 11 -> {
            source = "[" + source + ", " + path(random) + "]";
            destination = path(random);
            yield "concat";
          }
          default -> "open";
        };
    return "2026-11-20 10:%02d:%02d,%03d INFO FSNamesystem.audit: allowed=true\tugi=u%d\tip=/10.0.0.%d\tcmd=%s\tsrc=%s\tdst=%s\tperm=null"
        .formatted(
            millis / 60_000,
            millis / 1000 % 60,
            millis % 1000,
            random.nextInt(3),
            random.nextInt(2),
            command,
            source,
            destination);
  }

  /** Of a few directories, and a directory itself at times; few enough files that all meet again. */
  private static String path(SplittableRandom random) {
    String table = "/w/t" + random.nextInt(3);
    int file = random.nextInt(40);
    String partition = table + "/dt=" + random.nextInt(3);
    return switch (random.nextInt(12)) {
      case 0 -> partition;
      case 1 -> table + "/\\u00e4\\t" + file;
      default -> partition + "/part-" + file;
    };
  }

  private static byte[] joined(List<byte[]> lines) {
    StringBuilder all = new StringBuilder();
    lines.forEach(line -> all.append(new String(line, StandardCharsets.ISO_8859_1)).append('\n'));
    return all.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
