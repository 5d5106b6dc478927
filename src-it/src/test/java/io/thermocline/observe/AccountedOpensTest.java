// SPDX-License-Identifier: Apache-2.0
package io.thermocline.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.audit.AuditLoad;
import io.thermocline.testbed.audit.GeneratedAuditLog;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each line of an open heats, or is counted by the reason why it doesn't. */
class AccountedOpensTest {
  private static final Instant START = Instant.parse("2026-11-20T00:00:00Z");
  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final String OPEN = "\tcmd=open\tsrc=/";

  @TempDir Path directory;

  /** Of all kinds of clients. */
  private List<String> lines;

  private Path log;
  private Path other;
  private Heat heat;

  @BeforeEach
  void generate() throws IOException {
    StringBuilder generated = new StringBuilder();
    GeneratedAuditLog.write(
        generated,
        null,
        EnumSet.allOf(AuditLoad.class),
        new GeneratedAuditLog.Settings(3, START, Duration.ofMinutes(40), Duration.ofSeconds(60), 0),
        new SplittableRandom(1));
    SplittableRandom random = new SplittableRandom(2);
    lines =
        generated
            .toString()
            .lines()
            .map(
                line ->
                    switch (random.nextInt(100)) {
                      case 0 -> "";
                      case 1 -> "java.io.IOException: no record";
                      case 2, 3 -> line.replace("allowed=true", "allowed=false");
                      default -> line;
                    })
            .toList();
    log = directory.resolve("hdfs-audit.log");
    other = Files.write(directory.resolve("other.log"), lines.subList(0, lines.size() / 10));
    heat = new Heat(HeatSettings.forFiles(HALF_LIFE, 100_000), "ns1");
  }

  @Test
  void opensThatDontHeatAreCountedByReason() throws IOException {
    Files.write(log, lines);
    LineCounts counts = read("nobody");
    LineCounts.Opens opens = counts.opens();
    assertEquals(opens("allowed=false\t"), opens.refused());
    assertEquals(opens("allowed=true\tugi=ml "), opens.maintenance());
    assertTrue(
        opens.scanned() > 1_000 && opens.seconds() > 1_000 && opens.elsewhere() > 1_000,
        opens::toString);
    assertEquals(0, opens.ownUsers());
  }

  @Test
  void withoutCallerContextsOpensOfTheServicesUserAreCountedAsSuch() throws IOException {
    lines = lines.stream().map(line -> line.replaceFirst("\tcallerContext=.*", "")).toList();
    Files.write(log, lines);
    Files.write(other, lines.subList(0, lines.size() / 10));
    LineCounts.Opens opens = read("hbase").opens();
    assertEquals(opens("allowed=true\tugi=hbase "), opens.ownUsers());
    assertTrue(opens.ownUsers() > 0, opens::toString);
  }

  private LineCounts read(String ownUser) throws IOException {
    AccessSettings settings =
        AccessSettings.defaults(new AccessSettings.Ignored(Set.of("ml"), List.of(), List.of()))
            .cooling(HALF_LIFE)
            .without(ownUser, "thermocline")
            .heating("ns1");
    LineCounts counts;
    try (AuditSource source =
        new AuditSource(
            List.of(
                new AuditLog("ns1", log, ZoneOffset.UTC, null),
                new AuditLog("ns2", other, ZoneOffset.UTC, null)),
            LogStart.BEGINNING,
            settings,
            SourceCheckpoint.none(),
            Clock.fixed(START, ZoneOffset.UTC))) {
      while (source.poll(heat, 1 << 20)) {
        // Until the end of the logs.
      }
      counts = source.counts();
    }
    assertEquals(all().size(), counts.lines());
    assertEquals(counts.lines(), counts.parsed() + counts.ignored() + counts.malformed());
    assertEquals(
        all().stream().filter(line -> line.startsWith("java.")).count(), counts.malformed());
    LineCounts.Opens opens = counts.opens();
    assertEquals(all().stream().filter(line -> line.contains(OPEN)).count(), opens.all());
    assertEquals(
        opens.all(),
        heat.reads()
            + opens.scanned()
            + opens.maintenance()
            + opens.ownUsers()
            + opens.seconds()
            + opens.refused()
            + opens.redirected()
            + opens.elsewhere(),
        () -> heat.reads() + " heat: " + opens);
    return counts;
  }

  /** The lines of both logs. */
  private List<String> all() {
    return Stream.concat(lines.stream(), lines.subList(0, lines.size() / 10).stream()).toList();
  }

  private long opens(String with) {
    return all().stream().filter(line -> line.contains(OPEN) && line.contains(with)).count();
  }
}
