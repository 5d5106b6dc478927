// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NameNodes that fail over, or can't be asked, and several nameservices. */
class CompletenessOfLinesTest {

  private static final long STEP = 10_000;
  private static final int STEPS_OF_THE_WINDOW = 60;

  @TempDir Path temp;
  private NameNodePage first;
  private NameNodePage second;
  private CompletenessOfLines lines;
  private long millis;
  private long audited = 5;

  @BeforeEach
  void start() throws IOException {
    first = new NameNodePage();
    second = new NameNodePage();
    second.state = "standby";
    lines = new CompletenessOfLines(List.of(first.page(), second.page()));
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  @Test
  void ofWhoIsNoLongerActiveNothingIsKnown() {
    assertEquals(0.6, losing().share());
    first.state = "standby";
    assertEquals(Completeness.UNKNOWN, step(0, 0));
    // Whatever it counts as a standby.
    first.fileInfos += 100_000;
    assertEquals(Completeness.UNKNOWN, step(0, 0));
    second.state = "active";
    second.sinceMillis = 77;
    step(0, 0);
    step(0, 0);
    second.fileInfos += 5000;
    assertEquals(new Completeness(5000, 5000, 0), step(0, 5000));
  }

  @Test
  void whoCannotBeAskedIsAsItWasUntilTheWindowIsOver() {
    Completeness lossy = losing();
    first.isSilent = true;
    for (int i = 1; i < STEPS_OF_THE_WINDOW; i++) {
      assertEquals(lossy, step(0, 100), "after " + i);
    }
    assertEquals(Completeness.UNKNOWN, step(0, 100));
    assertEquals(Completeness.UNKNOWN, step(0, 100));
  }

  @Test
  void whoAnswersAgainIsComparedOnWhereItIsTheSame() {
    losing();
    first.isSilent = true;
    assertEquals(0.6, step(2000, 1200).share());
    first.isSilent = false;
    assertEquals(new Completeness(6000, 3600, 0), step(2000, 1200));
  }

  /** Restarted, or standby meanwhile: it may have counted what it then refused. */
  @Test
  void whoAnswersAgainAsAnotherBeginsAnew() {
    losing();
    first.isSilent = true;
    step(0, 0);
    first.isSilent = false;
    first.sinceMillis = 2;
    assertFalse(step(100_000, 0).isKnown());
    step(0, 0);
    assertEquals(new Completeness(2000, 2000, 0), step(2000, 2000));
  }

  @Test
  void whoTakesOverFromOneThatCannotBeAskedIsCompared() {
    losing();
    first.isSilent = true;
    second.state = "active";
    assertFalse(step(0, 0).isKnown());
    step(0, 0);
    second.fileInfos += 3000;
    assertEquals(new Completeness(3000, 3000, 0), step(0, 3000));
  }

  /** Three intervals, in the last of which two of five lines are lost. */
  private Completeness losing() {
    step(0, 0);
    step(0, 0);
    return step(2000, 1200);
  }

  private Completeness step(int counted, int logged) {
    millis += STEP;
    first.fileInfos += counted;
    audited += logged;
    return lines.measure(
        millis,
        new CompletenessMeter.Audited(
            new CompletenessMeter.Totals(Map.of(Operation.GET_FILE_INFO, audited)), audited, 0));
  }

  /** As the logs of a pair and of another nameservice are read. */
  @Test
  void logsAreComparedByNameserviceAndByWhoIsActive() throws IOException {
    try (NameNodePage other = new NameNodePage();
        AuditSource source =
            new AuditSource(
                List.of(log("ns", first), log("ns", second), log("ns2", other)),
                LogStart.BEGINNING,
                AccessSettings.defaults(AccessSettings.Ignored.nothing()),
                SourceCheckpoint.none(),
                clock())) {
      assertEquals(
          Map.of("ns", Completeness.UNKNOWN, "ns2", Completeness.UNKNOWN), source.completeness());
      measure(source);
      measure(source);
      log(first, 2000, 1200);
      log(other, 2000, 2000);
      measure(source);
      assertEquals(
          Map.of("ns", new Completeness(2000, 1200, 0), "ns2", new Completeness(2000, 2000, 0)),
          source.completeness());

      first.state = "standby";
      second.state = "active";
      measure(source);
      measure(source);
      log(second, 2000, 2000);
      log(other, 2000, 1000);
      measure(source);
      assertEquals(
          Map.of("ns", new Completeness(2000, 2000, 0), "ns2", new Completeness(4000, 3000, 0)),
          source.completeness());
    }
  }

  private void measure(AuditSource source) throws IOException {
    while (source.poll(access -> {}, 1 << 20)) {
      continue;
    }
    millis += STEP;
    source.measureCompleteness();
  }

  private AuditLog log(String nameservice, NameNodePage nameNode) {
    return new AuditLog(nameservice, file(nameNode), ZoneOffset.UTC, nameNode.page());
  }

  private Path file(NameNodePage nameNode) {
    return temp.resolve("hdfs-audit-" + nameNode.web().getPort() + ".log");
  }

  private void log(NameNodePage nameNode, int counted, int logged) throws IOException {
    nameNode.fileInfos += counted;
    Files.writeString(
        file(nameNode),
        Lines.at(0, "a", "getfileinfo", "/a", "null", "").repeat(logged),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private Clock clock() {
    return ((InstantSource) () -> Instant.ofEpochMilli(millis)).withZone(ZoneOffset.UTC);
  }
}
