// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mutated lines as clusters write them, audit and clienttrace: no exception, no hang, each counted as exactly one of
 * parsed, ignored, malformed. More of them: {@code -Dobserve.fuzz.lines=10000000 -Dobserve.fuzz.seed=2}.
 */
class AuditLineFuzzTest {

  private static final AccessSettings SETTINGS =
      new AccessSettings(
          Duration.ofSeconds(10), 4, Duration.ofMinutes(10), AccessSettings.Ignored.nothing());
  private static final long LINES = Long.getLong("observe.fuzz.lines", 300_000);
  private static final long SEED = Long.getLong("observe.fuzz.seed", Long.getLong("test.seed", 1));
  private static final int LONGEST = 4096;
  private static final int GENERATED = 500;

  /** Of a file: some of a reader's chunks, and so some lines that stand in two. */
  private static final int LINES_OF_A_FILE = 20_000;

  @TempDir Path directory;

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void countsEveryMutatedAuditLineOnce() throws IOException {
    List<byte[]> audit = load("hdfs-audit");
    audit.addAll(extras());
    LineFeed feed = Lines.feed(SETTINGS);
    SplittableRandom random = new SplittableRandom(SEED);
    long[] told = new long[1];
    for (long i = 0; i < LINES; i++) {
      byte[] line = mutate(random, audit);
      int from = random.nextInt(9);
      int room = from + line.length + random.nextInt(9);
      byte[] buffer = new byte[room];
      System.arraycopy(line, 0, buffer, from, line.length);
      long before = told[0];
      try {
        feed.line(
            buffer,
            from,
            from + line.length,
            0,
            access -> {
              told[0]++;
              if (access.kind() != Access.Kind.WITHDRAW && access.kind() != Access.Kind.RESTORE) {
                // Not always so: what is no UTF-8 becomes other bytes as a string.
                String path = access.path();
                if (path.indexOf('\ufffd') < 0) {
                  assertEquals(PathKey.of(SeenAccess.NAMESERVICE, path), access.key());
                }
              }
            });
      } catch (RuntimeException e) {
        fail("seed " + SEED + ", line " + i + ": " + new String(line, StandardCharsets.UTF_8), e);
      }
      assertTrue(told[0] - before <= LONGEST, "too much of one line");
    }
    feed.publish();
    LineCounts counts = feed.counts();
    System.out.println("seed " + SEED + ": " + counts);
    assertEquals(LINES, counts.lines());
    assertEquals(LINES, counts.parsed() + counts.ignored() + counts.malformed());
    assertTrue(counts.parsed() > LINES / 100 && counts.malformed() > LINES / 100);
  }

  /**
   * A file is read by chunks, and its lines are looked at many together: what comes of it, and the counts, are what
   * comes of each line by itself, one after the other.
   */
  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void readsAFileOfMutatedLinesAsEachLineByItself() throws IOException {
    List<byte[]> audit = load("hdfs-audit");
    audit.addAll(extras());
    SplittableRandom random = new SplittableRandom(SEED);
    Path log = directory.resolve("hdfs-audit.log");
    LineCounts counts = LineCounts.NONE;
    for (long left = LINES; left > 0; left -= LINES_OF_A_FILE) {
      byte[] bytes = file(random, audit, Math.min(left, LINES_OF_A_FILE));
      Files.write(log, bytes);
      List<SeenAccess> expected = new ArrayList<>();
      LineFeed feed = Lines.feed(SETTINGS);
      for (int from = 0, to; from < bytes.length; from = to + 1) {
        to = ByteSearch.indexOf(bytes, from, bytes.length, '\n');
        int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
        feed.line(bytes, from, end, 0, access -> expected.add(SeenAccess.of(access)));
      }
      feed.publish();
      List<SeenAccess> seen = new ArrayList<>();
      try (AuditSource source =
          new AuditSource(
              List.of(new AuditLog("ns", log, ZoneOffset.UTC, null)),
              LogStart.BEGINNING,
              SETTINGS,
              SourceCheckpoint.none(),
              Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))) {
        boolean more = true;
        while (more) {
          more = source.poll(access -> seen.add(SeenAccess.of(access)), random.nextInt(1 << 18));
        }
        assertEquals(feed.counts(), source.counts(), () -> "seed " + SEED);
        counts = counts.plus(source.counts());
      }
      assertEquals(expected, seen, () -> "seed " + SEED);
    }
    System.out.println("by file, seed " + SEED + ": " + counts);
    assertTrue(counts.lines() >= LINES);
    assertEquals(counts.lines(), counts.parsed() + counts.ignored() + counts.malformed());
    assertTrue(counts.parsed() > LINES / 100 && counts.malformed() > LINES / 100);
  }

  /** Mutated lines with their newlines; some have more within, some are longer than a chunk. */
  private static byte[] file(SplittableRandom random, List<byte[]> seeds, long lines) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (long i = 0; i < lines; i++) {
      byte[] line = mutate(random, seeds);
      int times = random.nextInt(5_000) == 0 ? 1 + 2 * LineBuffer.CHUNK / (1 + line.length) : 1;
      for (; times > 0; times--) {
        bytes.writeBytes(line);
      }
      bytes.write('\n');
    }
    return bytes.toByteArray();
  }

  /** Each is one of parsed, ignored, malformed, with values that can be, whatever stands around it in the buffer. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void judgesEveryMutatedClientTraceLine() throws IOException {
    List<byte[]> traces = load("hdfs-clienttrace");
    SplittableRandom random = new SplittableRandom(SEED);
    ClientTraceLine alone = new ClientTraceLine();
    ClientTraceLine within = new ClientTraceLine();
    Map<ClientTraceLine.Outcome, Long> outcomes = new EnumMap<>(ClientTraceLine.Outcome.class);
    for (long i = 0; i < LINES; i++) {
      byte[] line = mutate(random, traces);
      byte[] other = traces.get(random.nextInt(traces.size()));
      byte[] buffer = Arrays.copyOf(other, 2 * other.length + line.length);
      System.arraycopy(line, 0, buffer, other.length, line.length);
      System.arraycopy(other, 0, buffer, other.length + line.length, other.length);
      try {
        ClientTraceLine.Outcome outcome = alone.parse(line, 0, line.length, i);
        assertEquals(outcome, within.parse(buffer, other.length, other.length + line.length, i));
        if (outcome == ClientTraceLine.Outcome.PARSED) {
          assertTrue(alone.bytes() >= 0 || alone.kind() == BlockAccess.Kind.SHORT_CIRCUIT);
          assertTrue(alone.offset() >= 0 && alone.durationNanos() >= 0);
          assertEquals(told(alone), told(within));
        }
        outcomes.merge(outcome, 1L, Long::sum);
      } catch (RuntimeException | AssertionError e) {
        fail("seed " + SEED + ", line " + i + ": " + new String(line, StandardCharsets.UTF_8), e);
      }
    }
    System.out.println("clienttrace, seed " + SEED + ": " + outcomes);
    assertEquals(LINES, outcomes.values().stream().mapToLong(Long::longValue).sum());
    assertTrue(outcomes.values().stream().allMatch(count -> count > LINES / 100));
    assertEquals(3, outcomes.size());
  }

  private static List<Object> told(BlockAccess access) {
    return List.of(
        access.kind(),
        access.timeMillis(),
        access.blockId(),
        access.poolId(),
        access.offset(),
        access.bytes(),
        access.durationNanos(),
        access.client(),
        access.dataNode());
  }

  /** Generated lines, and those of real clusters where they lie beside the checkout. */
  private static List<byte[]> load(String folder) throws IOException {
    List<byte[]> lines = new ArrayList<>();
    (folder.equals("hdfs-audit")
            ? GeneratedLogs.audit(SEED, GENERATED)
            : GeneratedLogs.clientTrace(SEED, GENERATED))
        .forEach(line -> lines.add(Lines.bytes(line)));
    Path samples = Path.of(System.getProperty("project.root"), "../shared/traces", folder);
    if (!Files.isDirectory(samples)) {
      return lines;
    }
    try (var files = Files.list(samples)) {
      for (Path file : files.sorted().toList()) {
        if (!file.getFileName().toString().startsWith("LICENSE")) {
          for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).split("\n")) {
            lines.add(line.getBytes(StandardCharsets.ISO_8859_1));
          }
        }
      }
    }
    return lines;
  }

  /** What the samples have too few of. */
  private static List<byte[]> extras() {
    List<byte[]> extras = new ArrayList<>();
    for (String extra :
        List.of(
            Lines.at(0, "a", "concat", "[/a, /b, /c]", "/d", ""),
            Lines.at(0, "a", "rename (options=[TO_TRASH])", "/a", "/b\\u00fc\\t\\101", ""),
            Lines.at(0, "a", "truncate", "/w/dt=1/h=2/f"),
            Lines.at(
                0, "a", "open", "/x", "null", "\tcallerContext=CLI,clientIp:1.1.1.1,clientPort:3"),
            Lines.at(
                0,
                "a",
                "open",
                "/x",
                "null",
                "\tcallerContext=clientIp:1.1.1.1,clientPort:3,clientId:0f,clientCallId:7,realUser:b,task_1"),
            Lines.at(0, "a", "open", "/x")
                .replace(
                    "allowed",
                    "Discarded 12 messages due to full event buffer including: allowed"))) {
      extras.add(Lines.bytes(extra.strip()));
    }
    return extras;
  }

  private static byte[] mutate(SplittableRandom random, List<byte[]> seeds) {
    byte[] line = seeds.get(random.nextInt(seeds.size())).clone();
    for (int n = random.nextInt(5); n > 0 && line.length > 0; n--) {
      int at = random.nextInt(line.length);
      switch (random.nextInt(8)) {
        case 0 -> line[at] = (byte) random.nextInt(256);
        case 1 -> line[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> line = Arrays.copyOf(line, at);
        case 3 -> line = Arrays.copyOfRange(line, at, line.length);
        case 4 -> line[at] = "\t\\u=/:, []".getBytes(StandardCharsets.US_ASCII)[random.nextInt(9)];
        case 5 -> line = splice(line, at, seeds.get(random.nextInt(seeds.size())), random);
        case 6 -> line = splice(line, at, line, random);
        default -> {
          int end = Math.min(line.length, at + random.nextInt(20));
          byte[] shorter = Arrays.copyOf(line, line.length - (end - at));
          System.arraycopy(line, end, shorter, at, line.length - end);
          line = shorter;
        }
      }
    }
    return line.length > LONGEST ? Arrays.copyOf(line, LONGEST) : line;
  }

  private static byte[] splice(byte[] line, int at, byte[] other, SplittableRandom random) {
    int from = random.nextInt(other.length + 1);
    int to = from + random.nextInt(other.length - from + 1);
    byte[] result = new byte[at + to - from];
    System.arraycopy(line, 0, result, 0, at);
    System.arraycopy(other, from, result, at, to - from);
    return result;
  }
}
