// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompletenessTest {

  private final CompletenessMeter meter = new CompletenessMeter(600_000);
  private long millis;
  private long counted = 1_000_000;
  private long audited = 5;
  private long discarded = 10;

  @Test
  void comparesWhatHappenedInTheWindow() {
    pass(2, 0, 0);
    assertEquals(new Completeness(5000, 5000, 0), pass(5, 1000, 0));

    // From here on a tenth is dropped. Of 61 intervals the lines count, of 60 the operations.
    Completeness lossy = pass(80, 900, 100);
    assertEquals(new Completeness(60_000, 54_900, 6_100), lossy);
    assertEquals(0.915, lossy.share());
  }

  @Test
  void creditsWhatAnOldPageHadNotCountedYet() {
    add(0, 0, 1000, 0);
    add(10_000, 1000, 2000, 0);
    assertEquals(new Completeness(2000, 2000, 0), add(20_000, 3000, 3000, 0));
  }

  @Test
  void beginsAnewAfterARestartAndWhereTold() {
    pass(10, 1000, 0);
    counted = 10;
    assertFalse(pass(1, 0, 0).isKnown());
    assertFalse(pass(1, 1000, 0).isKnown());
    assertEquals(new Completeness(1000, 2000, 0), pass(1, 1000, 0));
    meter.restart();
    counted += 5000;
    assertFalse(pass(2, 0, 0).isKnown());
    assertEquals(new Completeness(2000, 2000, 0), pass(2, 1000, 0));
  }

  @Test
  void knowsByFewOperationsThatNoLineComesAnyMore() {
    pass(3, 100, 0);
    // Of the first interval nobody knows whether its lines had come before.
    assertFalse(pass(1, 0, 49).isKnown());
    assertFalse(pass(1, 0, 49).isKnown());
    Completeness mute = pass(1, 0, 1);
    assertTrue(mute.isKnown(), mute::toString);
    assertEquals(0, mute.share());
    assertFalse(pass(1, 1, 0).isKnown(), "lines come again");
    assertFalse(pass(5, 0, 49).isKnown(), "as long as the last time, and half as long again");
    assertTrue(pass(3, 0, 49).isKnown());
  }

  /** So many intervals of ten seconds, with so many operations in each. */
  private Completeness pass(int intervals, long logged, long dropped) {
    Completeness last = Completeness.UNKNOWN;
    for (int i = 0; i < intervals; i++) {
      millis += 10_000;
      counted += logged + dropped;
      audited += logged;
      discarded += dropped;
      last = add(millis, counted, audited, discarded);
    }
    return last;
  }

  @Test
  void leavesOutWhatIsNotLogged() {
    meter.add(0, both(0, 0), audited(Map.of(), 0, 0));
    meter.add(10_000, both(0, 0), audited(Map.of(), 0, 0));
    assertEquals(
        new Completeness(2000, 2000, 0),
        meter.add(20_000, both(90_000, 2000), audited(Map.of(Operation.DELETE, 2000L), 2000, 0)));
  }

  @Test
  void knowsThatAMuteLogIsNotComplete() {
    meter.add(0, both(0, 0), audited(Map.of(), 70, 0));
    meter.add(10_000, both(0, 0), audited(Map.of(), 70, 0));
    assertEquals(
        new Completeness(92_000, 0, 0),
        meter.add(20_000, both(90_000, 2000), audited(Map.of(), 70, 0)));
  }

  /** A getfileinfo that was refused counts, and deletes and renames that were do not. */
  @Test
  void comparesLinesAsTheNameNodeCounts() {
    LineReader reader =
        new LineReader(
            new AccessRules(
                SeenAccess.NAMESERVICE, AccessSettings.defaults(AccessSettings.Ignored.nothing())),
            ZoneOffset.UTC);
    for (String command :
        List.of("getfileinfo", "isFileClosed", "delete", "rename", "rename (options=[NONE])")) {
      for (String allowed : List.of("true", "false")) {
        byte[] line =
            Lines.bytes(
                Lines.at(0, "a", command, "/a", "/b", "")
                    .replace("allowed=true", "allowed=" + allowed)
                    .strip());
        reader.look(line, 0, line.length, 0);
        reader.accept(access -> {});
      }
    }
    assertEquals(2, reader.audited(Operation.GET_FILE_INFO));
    assertEquals(1, reader.audited(Operation.DELETE));
    assertEquals(2, reader.audited(Operation.RENAME));
  }

  @Test
  void readsThePageOfANameNode() throws IOException {
    JmxPage page;
    try (NameNodePage nameNode = new NameNodePage()) {
      page = nameNode.page();
      nameNode.fileInfos = 7;
      nameNode.deletes = 8;
      nameNode.renames = 9;
      nameNode.sinceMillis = 10;
      NameNodeCounters.Term term = new NameNodeCounters(page).read().orElseThrow();
      assertEquals(7, term.totals().of(Operation.GET_FILE_INFO));
      assertEquals(8, term.totals().of(Operation.DELETE));
      assertEquals(9, term.totals().of(Operation.RENAME));
      assertEquals(10, term.sinceMillis());
      nameNode.state = "observer";
      assertTrue(new NameNodeCounters(page).read().isPresent());
      nameNode.state = "standby";
      assertTrue(new NameNodeCounters(page).read().isEmpty());
    }
    assertThrows(IOException.class, () -> new NameNodeCounters(page).read());
  }

  private Completeness add(long millis, long counted, long audited, long discarded) {
    return meter.add(
        millis,
        new CompletenessMeter.Totals(Map.of(Operation.GET_FILE_INFO, counted)),
        totals(audited, discarded));
  }

  private static CompletenessMeter.Totals both(long fileInfos, long deletes) {
    return new CompletenessMeter.Totals(
        Map.of(Operation.GET_FILE_INFO, fileInfos, Operation.DELETE, deletes));
  }

  private static CompletenessMeter.Audited totals(long audited, long discarded) {
    return audited(Map.of(Operation.GET_FILE_INFO, audited), audited, discarded);
  }

  private static CompletenessMeter.Audited audited(
      Map<Operation, Long> totals, long lines, long discarded) {
    return new CompletenessMeter.Audited(new CompletenessMeter.Totals(totals), lines, discarded);
  }
}
