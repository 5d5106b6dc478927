// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditSourceTest {

  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final AccessSettings SETTINGS =
      AccessSettings.defaults(new AccessSettings.Ignored(Set.of(), List.of(), List.of()))
          .without("thermocline", "thermocline");

  @TempDir Path directory;
  private final List<SeenAccess> seen = new ArrayList<>();

  @Test
  void countsOthersAccessesAndNotItsOwn() throws IOException {
    Path log = directory.resolve("hdfs-audit.log");
    Files.writeString(
        log,
        Lines.at(0, "alice", "open", "/a")
            + Lines.at(0, "thermocline", "open", "/own")
            + Lines.at(0, "alice", "open", "/c", "null", "\tcallerContext=thermocline")
            + Lines.at(0, "alice", "listStatus", "/a")
            + Lines.at(0, "alice", "rename (options=[TO_TRASH])", "/a", "/b", "")
            + Lines.at(0, "alice", "addCacheDirective", "{id: 1}")
            + "garbage\n\n"
            + Lines.at(0, "bob", "delete", "/b")
            + Lines.at(0, "bob", "create", "/c"));
    try (AuditSource source = source(SourceCheckpoint.none(), log("ns", log))) {
      source.poll(this::keep, Long.MAX_VALUE);

      assertEquals(
          new LineCounts(10, 4, 5, 1, new LineCounts.Opens(3, 0, 0, 1, 1, 0, 0, 0, 0), 0, 0, 0),
          source.counts());
    }
    assertEquals(List.of("READ /a", "RENAME /a /b", "DELETE /b", "CREATE /c"), Lines.brief(seen));
  }

  @Test
  void mergesTheLogsOfAPairByTimeThroughFailovers() throws IOException {
    Path one = directory.resolve("nn1.log");
    Path two = directory.resolve("nn2.log");
    for (int i = 0; i < 90; i++) {
      // Active are nn1, nn2, nn1 in turn, 30 lines each.
      Path active = i / 30 == 1 ? two : one;
      append(active, Lines.at(i, "a", "open", "/f" + i));
    }
    try (AuditSource source = source(SourceCheckpoint.none(), log("ns", one), log("ns", two))) {
      source.poll(this::keep, Long.MAX_VALUE);
    }
    assertEquals(IntStream.range(0, 90).mapToObj(i -> "READ /f" + i).toList(), Lines.brief(seen));
  }

  /** The answer was lost with the NameNode, and the client asked the next one. */
  @Test
  void anOpenThatIsRepeatedAfterAFailoverIsPartOfTheFirst() throws IOException {
    Path one = directory.resolve("nn1.log");
    Path two = directory.resolve("nn2.log");
    append(one, Lines.at(0, "a", "open", "/f"));
    append(two, Lines.at(4_000, "a", "open", "/f") + Lines.at(10_000, "a", "open", "/f"));
    try (AuditSource source = source(SourceCheckpoint.none(), log("ns", one), log("ns", two))) {
      source.poll(this::keep, Long.MAX_VALUE);
      assertEquals(
          new LineCounts(3, 3, 0, 0, new LineCounts.Opens(3, 1, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0),
          source.counts());
    }
    assertEquals(List.of("READ /f", "READ part of /f", "READ /f"), Lines.brief(seen));
  }

  /** Of a NameNode whose lines arrive late, and of clocks that differ. */
  @Test
  void anOpenThatComesLateBelongsToTheReadAfterIt() throws IOException {
    Path one = directory.resolve("nn1.log");
    Path two = directory.resolve("nn2.log");
    append(two, Lines.at(4_000, "a", "open", "/f"));
    try (AuditSource source = source(SourceCheckpoint.none(), log("ns", one), log("ns", two))) {
      source.poll(this::keep, Long.MAX_VALUE);
      append(one, Lines.at(3_000, "a", "open", "/f"));
      source.poll(this::keep, Long.MAX_VALUE);
      append(two, Lines.at(13_000, "a", "open", "/f"));
      source.poll(this::keep, Long.MAX_VALUE);
    }
    // The window is that from 3 s on.
    assertEquals(List.of("READ /f", "READ part of /f", "READ /f"), Lines.brief(seen));
  }

  @Test
  void readsTheOthersWhileOneCannotBeRead() throws IOException {
    Path one = Files.createDirectory(directory.resolve("nn1.log"));
    Path two = directory.resolve("nn2.log");
    append(two, Lines.at(4_000, "a", "open", "/f") + Lines.at(5_000, "a", "open", "/g"));
    try (AuditSource source = source(SourceCheckpoint.none(), log("ns", one), log("ns", two))) {
      assertThrows(IOException.class, () -> source.poll(this::keep, Long.MAX_VALUE));
      assertEquals(List.of("READ /f", "READ /g"), Lines.brief(seen));
      Files.delete(one);
      append(one, Lines.at(3_000, "a", "open", "/e"));
      source.poll(this::keep, Long.MAX_VALUE);
    }
    assertEquals(List.of("READ /f", "READ /g", "READ /e"), Lines.brief(seen));
  }

  @Test
  void ordersLinesOfOneTimeByTheirLogsWhereverItStopped() throws IOException {
    Path one = directory.resolve("nn1.log");
    Path two = directory.resolve("nn2.log");
    for (int i = 0; i < 12; i++) {
      append(i % 3 == 0 ? two : one, Lines.at(i / 6, "a", "open", "/f" + i));
    }
    for (int stops = 0; stops < 2; stops++) {
      seen.clear();
      SourceCheckpoint saved = SourceCheckpoint.none();
      for (boolean more = true; more; ) {
        try (AuditSource source = source(saved, log("ns", one), log("ns", two))) {
          more = source.poll(this::keep, stops == 0 ? Long.MAX_VALUE : 1);
          saved = source.checkpoint();
        }
      }
      assertEquals(
          Stream.of(1, 2, 4, 5, 0, 3, 7, 8, 10, 11, 6, 9).map(i -> "READ /f" + i).toList(),
          Lines.brief(seen));
    }
  }

  /** A pair that fails over again and again, read by one that crashes again and again. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isAsIfThereHadBeenNoCrashOverFailovers(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    AccessSettings settings =
        new AccessSettings(
            Duration.ofSeconds(10), 8, Duration.ofMinutes(10), AccessSettings.Ignored.nothing());
    AuditLog[] logs = {log("ns", directory.resolve("a")), log("ns", directory.resolve("b"))};
    SourceCheckpoint saved = SourceCheckpoint.none();
    AuditSource source = source(settings, saved, logs);
    int kept = 0;
    int active = 0;
    int crashes = 0;
    long millis = 0;
    for (int step = 0; step < 400; step++) {
      if (random.nextInt(6) == 0) {
        active = 1 - active;
      }
      for (int lines = random.nextInt(8); lines > 0; lines--) {
        // A failover takes a moment, and so does each call.
        millis += 1 + random.nextInt(3_000);
        append(
            logs[active].path(),
            Lines.at(
                millis,
                "u" + random.nextInt(2),
                random.nextInt(20) == 0 ? "delete" : "open",
                "/f" + random.nextInt(random.nextInt(3) == 0 ? 10 : 900)));
      }
      source.poll(this::keep, 1 + random.nextInt(2_000));
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          saved = SourceCheckpoint.parse(source.checkpoint().toBytes());
          kept = seen.size();
        }
        case 2 -> {
          crashes++;
          source.close();
          seen.subList(kept, seen.size()).clear();
          source = source(settings, saved, logs);
        }
        default -> {}
      }
    }
    while (source.poll(this::keep, 1 << 20)) {
      continue;
    }
    LineCounts counts = source.counts();
    source.close();
    List<SeenAccess> rough = List.copyOf(seen);
    seen.clear();
    try (AuditSource calm = source(settings, SourceCheckpoint.none(), logs)) {
      calm.poll(this::keep, Long.MAX_VALUE);
      assertEquals(calm.counts(), counts, "seed " + seed);
    }
    assertEquals(seen, rough, "seed " + seed + ", " + crashes + " crashes");
    assertTrue(
        crashes > 20 && counts.opens().shared() > 20 && counts.opens().scanned() > 20,
        counts::toString);
  }

  @Test
  void keepsNameservicesApart() throws IOException {
    Path one = directory.resolve("nn1.log");
    Path two = directory.resolve("nn2.log");
    append(one, Lines.at(0, "a", "open", "/f"));
    append(two, Lines.at(1, "a", "open", "/f"));
    try (AuditSource source = source(SourceCheckpoint.none(), log("ns", one), log("ns2", two))) {
      source.poll(this::keep, Long.MAX_VALUE);
    }
    assertEquals(
        List.of(
            PathKey.of(PathKey.nameservice("ns"), "/f"),
            PathKey.of(PathKey.nameservice("ns2"), "/f")),
        seen.stream().map(SeenAccess::key).toList());
  }

  @Test
  void goesOnFromACheckpointThatWasTakenBetweenLinesThatAreMerged() throws IOException {
    Path one = directory.resolve("nn1.log");
    Path two = directory.resolve("nn2.log");
    int count = 20_000;
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    for (int i = 0; i < count; i++) {
      (i % 3 == 0 ? first : second).append(Lines.at(i, "u" + i, "open", "/d" + i + "/f"));
    }
    append(one, first.toString());
    append(two, second.toString());
    SourceCheckpoint saved = SourceCheckpoint.none();
    for (boolean more = true; more; ) {
      try (AuditSource source = source(saved, log("ns", one), log("ns", two))) {
        more = source.poll(this::keep, 300_000);
        saved = SourceCheckpoint.parse(source.checkpoint().toBytes());
        // What was read ahead counts as not read.
        if (!more) {
          assertEquals(count, source.counts().lines());
        }
      }
    }
    assertEquals(
        IntStream.range(0, count).mapToObj(i -> "READ /d" + i + "/f").toList(), Lines.brief(seen));
  }

  /** A hole in a file reads as zeros, without any newline. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void skipsALineThatIsTooLongAndCountsItOnce(boolean endsInTheMiddle) throws IOException {
    Path log = directory.resolve("hdfs-audit.log");
    append(log, Lines.at(0, "a", "open", "/before"));
    Lines.appendHole(log, 100L << 20);
    append(log, Lines.at(1, "a", "open", "/inside") + Lines.at(2, "a", "open", "/after"));
    SourceCheckpoint saved = SourceCheckpoint.none();
    AuditSource source = source(saved, log("ns", log));
    try {
      assertTrue(source.poll(this::keep, 1));
      assertTrue(source.poll(this::keep, 1), "some of the line was skipped");
      if (endsInTheMiddle) {
        saved = SourceCheckpoint.parse(source.checkpoint().toBytes());
        source.close();
        source = source(saved, log("ns", log));
      }
      while (source.poll(this::keep, Long.MAX_VALUE)) {
        // Until all is read.
      }
      assertEquals(List.of("READ /before", "READ /after"), Lines.brief(seen));
      assertEquals(3, source.counts().lines());
      assertEquals(1, source.counts().malformed());
      saved = SourceCheckpoint.parse(source.checkpoint().toBytes());
    } finally {
      source.close();
    }
    append(log, Lines.at(3, "a", "open", "/last"));
    try (AuditSource next = source(saved, log("ns", log))) {
      next.poll(this::keep, Long.MAX_VALUE);
      assertEquals(List.of("READ /before", "READ /after", "READ /last"), Lines.brief(seen));
      assertEquals(1, next.counts().malformed());
    }
  }

  private static AuditSource source(SourceCheckpoint saved, AuditLog... logs) throws IOException {
    return source(SETTINGS, saved, logs);
  }

  private static AuditSource source(
      AccessSettings settings, SourceCheckpoint saved, AuditLog... logs) throws IOException {
    return new AuditSource(List.of(logs), LogStart.BEGINNING, settings, saved, CLOCK);
  }

  private void keep(Access access) {
    seen.add(SeenAccess.of(access));
  }

  private static AuditLog log(String nameservice, Path path) {
    return new AuditLog(nameservice, path, ZoneOffset.UTC, null);
  }

  private static void append(Path log, String text) throws IOException {
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
