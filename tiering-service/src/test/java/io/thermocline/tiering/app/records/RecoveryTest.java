// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.app.ModelHdfs;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.JournalMemory;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a service that ended in the middle of a plan left, and one that ends while it looks after that. */
class RecoveryTest {

  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final String AT = CLOCK.instant().toString();

  /** Ends a life, as {@code kill -9} does. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final ModelHdfs hdfs = new ModelHdfs(chances -> true);
  private final ExecutionControl control = ExecutionControl.running(CLOCK);
  private final JournalMemory memory = new JournalMemory();

  @BeforeEach
  void files() {
    Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 1000L));
    for (String name : List.of("/d/half", "/d/never", "/e/never")) {
      hdfs.put(scene.file(name, 10, "n1-DISK", "n3-DISK", "n5-DISK"));
    }
  }

  @Test
  void aFileOfWhichHalfIsMadeIsReportedBeforeThePlanEnds() throws IOException {
    before(
        planned("/d/half", 2),
        planned("/d/never", 1),
        planned("/e/never", 1),
        new JournalEntry.PolicySet(AT, "/d", "ONE_SSD", ""),
        moved("1-0.0", "COPYING"),
        moved("1-0.0", "VERIFIED"));

    assertThrows(Death.class, () -> look("planEnded.recorded"));

    try (Journal journal = Journal.open(memory.open())) {
      assertEquals(List.of(), journal.unfinished(), "nobody looks after it any more");
    }
    assertEquals(
        List.of(
            "/d/half half-way: 1 of the 2 copies of plan 1 are made, the next plan decides on the"
                + " rest",
            "/d/never half-way: 0 of the 1 copies of plan 1 are made, the next plan decides on the"
                + " rest"),
        recovered(),
        "not what nothing was done to");
  }

  @Test
  void itIsReportedByTheNextLifeWhereOneDiedBefore() throws IOException {
    before(planned("/d/half", 2), moved("1-0.0", "VERIFIED"));

    assertThrows(Death.class, () -> look("recovered.unrecorded"));
    assertEquals(List.of(), recovered());
    assertThrows(Death.class, () -> look("planEnded.unrecorded"));
    assertEquals(1, recovered().size());
    look("");

    List<String> found = recovered();
    assertEquals(2, found.size());
    assertTrue(found.get(1).startsWith("/d/half half-way: 1 of the 2"), found::toString);
  }

  /** As on a full disk: nobody dies, and the service looks again. */
  @Test
  void itIsReportedOnceTheJournalCanBeWrittenAgain() throws IOException {
    before(planned("/d/half", 2), moved("1-0.0", "VERIFIED"), planned("/d/never", 1));
    ServiceRuntime runtime = new ServiceRuntime(CLOCK, () -> 0, wait -> {});
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = new Recorder(journal, control, runtime);
      Recovery recovery =
          new Recovery(journal, hdfs, recorder, control, runtime.nanos(), Duration.ofMinutes(1));
      memory.fail(new IOException("No space left on device"));
      assertThrows(IOException.class, recovery::look);
      assertThrows(IOException.class, recovery::look);
      memory.fail(null);
      recorder.retry();
      recovery.look();
      assertTrue(recovery.isEnded());
    }
    List<String> found = recovered();
    assertEquals(1, found.size(), found::toString);
    assertTrue(found.get(0).startsWith("/d/half half-way: 1 of the 2"), found::toString);
  }

  @Test
  void copiesOfAnotherPlanAreNotCountedAndWholeFilesNotReported() throws IOException {
    before(planned("/d/half", 1), moved("1-0.0", "VERIFIED"), moved("group-7.0", "VERIFIED"));
    look("");
    assertEquals(List.of(), recovered());
  }

  @Test
  void aPolicyThatWasPutBackIsNotTakenForOneThatIsToBe() throws IOException {
    hdfs.setStoragePolicy("/d/half", "ONE_SSD");
    before(planned("/d/half", 1), new JournalEntry.PolicySet(AT, "/d/half", "ONE_SSD", "HOT"));

    assertThrows(Death.class, () -> look("recovered.unrecorded"));
    assertEquals("HOT", hdfs.ownPolicy("/d/half"), "put back, and not reported yet");
    look("");

    assertEquals("HOT", hdfs.ownPolicy("/d/half"));
    assertEquals(
        List.of("/d/half policy ONE_SSD had not been set yet, or isn't ours any more"),
        recovered());
  }

  /** Equal to what the plan was to set, but somebody else's. */
  @Test
  void aPolicyThatSomebodySetSinceIsNotPutBack() throws IOException {
    hdfs.setStoragePolicy("/d/half", "COLD");
    before(
        planned("/d/half", 1),
        new JournalEntry.PolicySet(AT, "/d/half", "COLD", ""),
        new JournalEntry.TakenOver(AT, "/d/half", JournalEntry.Taken.POLICY, "alice", 0));
    look("");
    assertEquals("COLD", hdfs.ownPolicy("/d/half"));
    assertEquals(List.of(), recovered());
  }

  @Test
  void aPlanThatBeginsMeanwhileDoesNotMakeItForgotten() throws IOException {
    hdfs.setStoragePolicy("/e/never", "ONE_SSD");
    hdfs.setStoragePolicy("/d/half", "ONE_SSD");
    before(
        planned("/d/half", 2),
        planned("/e/never", 1),
        new JournalEntry.PolicySet(AT, "/e/never", "ONE_SSD", "HOT"),
        new JournalEntry.PolicySet(AT, "/d/half", "ONE_SSD", "HOT"),
        moved("1-0.0", "COPYING"));
    AtomicLong nanos = new AtomicLong();
    ServiceRuntime runtime = new ServiceRuntime(CLOCK, nanos::get, wait -> {});
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = new Recorder(journal, control, runtime);
      Recovery recovery =
          new Recovery(journal, hdfs, recorder, control, runtime.nanos(), Duration.ofMinutes(1));
      recovery.look();
      assertEquals("HOT", hdfs.ownPolicy("/e/never"), "no copy of it may be under way");
      assertEquals("ONE_SSD", hdfs.ownPolicy("/d/half"));
      journal.append(new JournalEntry.Planned(AT, 2, "/d/never", "PROMOTED", "SSD", 1, "read"));

      nanos.set(Duration.ofMinutes(2).toNanos());
      recovery.look();

      assertEquals("HOT", hdfs.ownPolicy("/d/half"));
      assertTrue(recovery.isEnded());
      assertEquals(1, journal.unfinished().size(), "the end of the old plan isn't that of the new");
    }
  }

  /** A life later nothing would tell of it: the journal has the files of the last plan alone, and of that no copy was made. */
  @Test
  void aHalfMovedFileIsReportedBeforeAnotherPlanTakesItsRest() throws IOException {
    before(
        planned("/d/half", 2),
        moved("1-0.0", "VERIFIED"),
        planned("/e/never", 1),
        new JournalEntry.Moved(AT, "1-1.0", "/e/never", 3, "n1 DISK", "n2 SSD", "COPYING", "", 10));
    look("");
    before(new JournalEntry.Planned(AT, 2, "/d/half", "PROMOTED", "SSD DISK DISK", 1, "read"));
    look("");
    assertEquals(
        List.of(
            "/d/half half-way: 1 of the 2 copies of plan 1 are made, the next plan decides on the"
                + " rest"),
        recovered().stream().filter(found -> found.startsWith("/d/half")).toList());
  }

  /** Once it has an end, and another plan has begun, the journal tells nobody to look after it again. */
  @Test
  void whatBecameOfAMoveIsReportedBeforeTheMoveEnds() throws IOException {
    before(
        new JournalEntry.Planned(AT, 1, "/gone", "PROMOTED", "SSD DISK DISK", 2, "read"),
        new JournalEntry.Moved(AT, "1-0.0", "/gone", 1, "n1 DISK", "n2 SSD", "COPYING", "", 10),
        new JournalEntry.Planned(AT, 2, "/d/never", "PROMOTED", "SSD DISK DISK", 1, "read"));
    assertThrows(Death.class, () -> look("OBSOLETE.recorded"));
    look("");
    assertEquals(List.of("/gone move 1-0.0 to n2 SSD is OBSOLETE"), recovered());
  }

  @Test
  void eachMoveOfThePlanIsAccountedForOnceNoneIsUnderWay() throws IOException {
    before(
        planned("/d/half", 3),
        planned("/d/never", 2),
        new JournalEntry.Planned(AT, 1, "/e/never", "CACHED", "2 in memory", 4, "read"),
        moved("1-0.0", "VERIFIED"),
        moved("1-0.1", "FAILED"),
        moved("1-0.2", "COPYING"),
        moved("group-7.0", "VERIFIED"),
        new JournalEntry.ActionEnded(AT, "/e/never", "CACHED", ""));
    AtomicLong nanos = new AtomicLong();
    ServiceRuntime runtime = new ServiceRuntime(CLOCK, nanos::get, wait -> {});
    try (Journal journal = Journal.open(memory.open())) {
      Recovery recovery =
          new Recovery(
              journal,
              hdfs,
              new Recorder(journal, control, runtime),
              control,
              runtime.nanos(),
              Duration.ofMinutes(1));
      recovery.look();
      assertEquals(Optional.empty(), recovery.account(), "one may still be copied");

      nanos.set(Duration.ofMinutes(2).toNanos());
      recovery.look();

      assertEquals(1, recovery.plan());
      assertEquals(
          "5 of 9 moves done, 2 failed, 0 dropped, 2 not begun; the service ended meanwhile",
          recovery.account().orElseThrow());
    }
  }

  /** By one path that HDFS refuses nobody may keep the service from planning. */
  @Test
  void whatHdfsRefusesToPutBackIsTriedAgainAndStaysInTheEnd() throws IOException {
    for (String path : List.of("/d/half", "/e/never")) {
      hdfs.setStoragePolicy(path, "ONE_SSD");
    }
    hdfs.refuse("/d/half", new AccessControlException("Permission denied: user=thermocline\n\tat"));
    before(
        planned("/d/half", 1),
        planned("/e/never", 1),
        new JournalEntry.PolicySet(AT, "/d/half", "ONE_SSD", "HOT"),
        new JournalEntry.PolicySet(AT, "/e/never", "ONE_SSD", "HOT"));
    ServiceRuntime runtime = new ServiceRuntime(CLOCK, () -> 0, wait -> {});
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = new Recorder(journal, control, runtime);
      Recovery recovery =
          new Recovery(journal, hdfs, recorder, control, runtime.nanos(), Duration.ofMinutes(1));
      recovery.look();
      assertEquals("HOT", hdfs.ownPolicy("/e/never"), "the other one waits for nobody");
      assertFalse(recovery.isEnded());
      recovery.look();
      recovery.look();
      assertTrue(recovery.isEnded());
      assertEquals("ONE_SSD", journal.policies().get("/d/half"), "it is known to be in force");
      assertEquals("HOT", journal.originalPolicy("/d/half", "ONE_SSD"));
    }
    assertEquals(
        List.of("/d/half policy ONE_SSD stays: Permission denied: user=thermocline"),
        recovered().stream().filter(found -> found.startsWith("/d/half policy")).toList());
  }

  @Test
  void noPolicyIsPutBackWhileNothingMayBegin() throws IOException {
    hdfs.setStoragePolicy("/d/half", "ONE_SSD");
    before(planned("/d/half", 1), new JournalEntry.PolicySet(AT, "/d/half", "ONE_SSD", "HOT"));
    control.pause("ann", "backup");

    look("");
    assertEquals("ONE_SSD", hdfs.ownPolicy("/d/half"));

    control.resume("ann", "done");
    look("");
    assertEquals("HOT", hdfs.ownPolicy("/d/half"));
  }

  private void before(JournalEntry... entries) throws IOException {
    try (Journal journal = Journal.open(memory.open())) {
      for (JournalEntry entry : entries) {
        journal.append(entry);
      }
    }
  }

  /** A life, which dies at the named point; empty: at none. */
  private void look(String deadly) throws IOException {
    ServiceRuntime runtime =
        new ServiceRuntime(
            CLOCK,
            () -> 0,
            wait -> {},
            point -> {
              if (point.equals(deadly)) {
                throw new Death();
              }
            });
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = new Recorder(journal, control, runtime);
      new Recovery(journal, hdfs, recorder, control, runtime.nanos(), Duration.ofMinutes(1)).look();
    }
  }

  private List<String> recovered() throws IOException {
    List<String> found = new ArrayList<>();
    try (Journal journal = Journal.open(memory.open())) {
      journal.history(
          entry -> {
            if (entry instanceof JournalEntry.Recovered one) {
              found.add(one.path() + " " + one.found());
            }
          });
    }
    return found;
  }

  private static JournalEntry planned(String path, int moves) {
    return new JournalEntry.Planned(AT, 1, path, "PROMOTED", "SSD DISK DISK", moves, "read");
  }

  private static JournalEntry moved(String id, String state) {
    return new JournalEntry.Moved(AT, id, "/d/half", 1, "n1 DISK", "n2 SSD", state, "", 10);
  }
}
