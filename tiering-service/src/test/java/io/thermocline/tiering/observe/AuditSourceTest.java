// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

      assertEquals(new LineCounts(10, 4, 5, 1, 0, 0, 0, 0), source.counts());
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
      (i % 3 == 0 ? first : second).append(Lines.at(i, "a", "open", "/d" + i + "/f"));
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

  private static AuditSource source(SourceCheckpoint saved, AuditLog... logs) throws IOException {
    return new AuditSource(List.of(logs), LogStart.BEGINNING, SETTINGS, saved, CLOCK);
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
