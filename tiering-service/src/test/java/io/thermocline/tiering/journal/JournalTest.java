// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  private static final String AT = "2026-01-01T00:00:00Z";

  @TempDir Path directory;

  @Test
  void remembersPoliciesAndTheLastPlan() throws IOException {
    List<String> paths =
        List.of(
            "/a b/\"quoted\"\\back",
            "/umläut/日本/\uD83D\uDE00",
            "/line\nbreak\tand\u0001control\u2028",
            "/{\"entry\":\"x\"}");
    try (Journal journal = Journal.open(directory)) {
      assertEquals(0, journal.lastPlan());
      journal.append(new JournalEntry.Started(AT, "apply", 1));
      for (String path : paths) {
        journal.append(new JournalEntry.PolicySet(AT, path, "ONE_SSD", ""));
      }
      journal.append(new JournalEntry.PolicySet(AT, paths.get(0), "WARM", ""));
      journal.append(planned(7));
      journal.append(planned(6));
      journal.append(
          new JournalEntry.Moved(AT, "7-0.0", "/a", 1, "n1-DISK", "n2-SSD", "VERIFIED", "", 7));
    }
    try (Journal journal = Journal.open(directory)) {
      assertEquals(7, journal.lastPlan());
      assertTrue(journal.maySet(paths.get(0), "WARM"));
      assertTrue(
          journal.maySet(paths.get(0), "ONE_SSD"), "a crash can have come before WARM was set");
      assertFalse(journal.maySet(paths.get(0), "HOT"));
      for (String path : paths.subList(1, paths.size())) {
        assertTrue(journal.maySet(path, "ONE_SSD"), path);
      }
      assertFalse(journal.maySet("/other", "ONE_SSD"));
    }
    assertEquals(paths.size() + 5, Files.readAllLines(file()).size());
  }

  @Test
  void remembersWhichActionsAreUpAndWhatTheyWereBefore() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      journal.append(new JournalEntry.CacheSet(AT, "/c", "thermocline", 0, 2));
      journal.append(new JournalEntry.CacheSet(AT, "/over", "thermocline", 0, 1));
      journal.append(new JournalEntry.CacheSet(AT, "/over", "thermocline", 1, 0));
      journal.append(new JournalEntry.ReplicationSet(AT, "/r", 3, 4));
      journal.append(new JournalEntry.ReplicationSet(AT, "/r", 4, 6));
      journal.append(new JournalEntry.ReplicationSet(AT, "/back", 3, 5));
      journal.append(new JournalEntry.ReplicationSet(AT, "/back", 5, 3));
      journal.append(new JournalEntry.ReplicationSet(AT, "/theirs", 3, 5));
      journal.append(new JournalEntry.ReplicationLeft(AT, "/theirs", 2));
      journal.append(new JournalEntry.ActionEnded(AT, "/c", "CACHED", ""));
    }
    try (Journal journal = Journal.open(directory)) {
      assertEquals(Map.of("/c", 2), journal.cached());
      assertEquals(Map.of("/r", new Journal.Raised(3, 6)), journal.raised());
    }
  }

  @Test
  void cutsAnUnfinishedLastLine() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      journal.append(planned(1));
    }
    String whole = Files.readString(file());
    Files.writeString(file(), whole.substring(0, whole.length() / 2), StandardOpenOption.APPEND);

    try (Journal journal = Journal.open(directory)) {
      assertEquals(1, journal.lastPlan());
      assertEquals(whole, Files.readString(file()));
      journal.append(planned(2));
    }
    try (Journal journal = Journal.open(directory)) {
      assertEquals(2, journal.lastPlan());
    }
  }

  @Test
  void cutsAnOnlyLineThatIsUnfinished() throws IOException {
    Files.writeString(file(), "{\"entry\":\"star");

    try (Journal journal = Journal.open(directory)) {
      assertEquals(0, journal.lastPlan());
      assertEquals("", Files.readString(file()));
    }
  }

  @Test
  void refusesADamagedLineInTheMiddle() throws IOException {
    for (String damaged : List.of("{\"entry\":\"pla", "null", "", "{} {}")) {
      Files.deleteIfExists(file());
      try (Journal journal = Journal.open(directory)) {
        journal.append(planned(1));
      }
      // As older versions wrote it.
      String good = Files.readString(file()).replaceFirst(",\"crc\":\"[^\"]*\"}", "}");
      Files.writeString(file(), good + damaged + "\n" + good);

      IOException refusal = assertThrows(IOException.class, () -> Journal.open(directory));

      assertTrue(
          refusal.getMessage().startsWith(file() + ":2: not a journal entry: "),
          refusal.getMessage());
      assertTrue(refusal.getMessage().contains("--accept-journal"), refusal.getMessage());
      // Nothing was cut or added, and the lock is free again.
      assertEquals(good + damaged + "\n" + good, Files.readString(file()));
    }
  }

  @Test
  void saysThatANewerVersionWroteWhatItDoesNotKnow() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      journal.append(planned(1));
    }
    String good = Files.readString(file()).replaceFirst(",\"crc\":\"[^\"]*\"}", "}");
    for (String unknown :
        List.of("{\"entry\":\"unheard-of\"}", good.strip().replaceFirst("}$", ",\"more\":1}"))) {
      Files.writeString(file(), good + unknown + "\n");

      IOException refusal = assertThrows(IOException.class, () -> Journal.open(directory));

      assertTrue(
          refusal.getMessage().startsWith(file() + ":2: this version doesn't know the entry ("),
          refusal.getMessage());
      assertTrue(refusal.getMessage().contains("a newer version wrote it"), refusal.getMessage());
    }
  }

  @Test
  void refusesBytesThatAreNoText() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      journal.append(planned(1));
    }
    Files.writeString(file(), Files.readString(file()).replaceFirst(",\"crc\":\"[^\"]*\"}", "}"));
    Files.write(file(), new byte[] {'{', (byte) 0xC3, '}', '\n'}, StandardOpenOption.APPEND);

    IOException refusal = assertThrows(IOException.class, () -> Journal.open(directory));

    assertTrue(
        refusal.getMessage().startsWith(file() + ":2: not a journal entry: "),
        refusal.getMessage());
  }

  @Test
  void refusesASecondWriterAndLeavesTheFirstAlone() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      journal.append(planned(1));
      // As if the first were in the middle of a line.
      Files.write(file(), "{\"en".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
      String before = Files.readString(file());

      IOException refusal = assertThrows(IOException.class, () -> Journal.open(directory));

      assertTrue(
          refusal.getMessage().startsWith(file() + " is in use: another Thermocline runs"),
          refusal.getMessage());
      assertEquals(before, Files.readString(file()));
    }
  }

  @Test
  void refusesASecondProcess() throws IOException, InterruptedException {
    try (Journal journal = Journal.open(directory)) {
      journal.append(planned(1));
      Process second =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  SecondProcess.class.getName(),
                  directory.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertEquals(3, second.waitFor(), said);
      assertTrue(said.contains(" is in use: another Thermocline runs"), said);
    }
  }

  /** Ends with 3 where it cannot open the journal, with 0 where it can. */
  static final class SecondProcess {
    public static void main(String[] args) {
      try (Journal journal = Journal.open(Path.of(args[0]))) {
        System.out.println("opened after plan " + journal.lastPlan());
      } catch (IOException e) {
        System.out.println(e.getMessage());
        System.exit(3);
      }
    }
  }

  private Path file() {
    return directory.resolve("journal.jsonl");
  }

  private static JournalEntry planned(long plan) {
    return new JournalEntry.Planned(
        AT, plan, "/a", "PROMOTED", "one copy on SSD", 1, "9.0 reads, 1.0 a MB");
  }

  @Test
  void canBeReadWhileItIsWritten() throws IOException {
    try (Journal nothing = Journal.read(directory.resolve("none"))) {
      assertEquals(0, nothing.lastPlan());
    }
    try (Journal journal = Journal.open(directory)) {
      journal.append(new JournalEntry.PolicySet(AT, "/d", "ONE_SSD", ""));
      journal.append(
          new JournalEntry.Planned(AT, 3, "/d/a", "PROMOTED", "SSD DISK (ONE_SSD)", 1, "reads"));
      try (Journal read = Journal.read(directory)) {
        assertEquals(3, read.lastPlan());
        assertTrue(read.maySet("/d/a", "ONE_SSD"), "inherited from /d");
        assertFalse(read.maySet("/dd", "ONE_SSD"));
        assertFalse(read.hasSet("/d/a"));
        assertEquals(1, read.takeMoves().size());
        assertEquals(0, read.takeMoves().size());
      }
    }
  }

  /** It was renamed, or could not be lowered: then it comes down as any other file's. */
  @Test
  void theFactorOfAMemberThatItsGroupLeavesIsOneOfTheOthers() throws IOException {
    Map<String, Journal.Raised> raised = Map.of("/m", new Journal.Raised(2, 3));
    try (Journal journal = Journal.open(directory)) {
      journal.append(new JournalEntry.ReplicationSet(AT, "/m", 2, 3, 9));
      assertEquals(Map.of(), journal.raised());
      journal.append(new JournalEntry.GroupEnded(AT, 1, 9, "", "cold"));
      assertEquals(raised, journal.raised());
    }
    try (Journal journal = Journal.open(directory)) {
      assertEquals(raised, journal.raised());
    }
  }

  @Test
  void isNotWrittenOnceItsFileIsRemovedOrReplacedUntilThatIsBack() throws IOException {
    Path away = directory.resolve("away");
    try (Journal journal = Journal.open(directory)) {
      journal.append(journal.started(AT, "apply"));
      Files.move(file(), away);
      IOException gone =
          assertThrows(IOException.class, () -> journal.append(journal.started(AT, "apply")));
      assertTrue(gone.getMessage().contains("was removed or replaced"), gone::getMessage);
      Files.copy(away, file());
      assertThrows(IOException.class, journal::requireInPlace);
      Files.move(away, file(), StandardCopyOption.REPLACE_EXISTING);
      journal.requireInPlace();
      journal.append(journal.started("2026-01-02T00:00:00Z", "apply"));
    }
    try (Journal journal = Journal.open(directory)) {
      assertEquals(2, journal.epoch());
      assertEquals(Optional.of(AT), journal.began());
    }
  }

  @Test
  void whatSomebodyTakesOverIsOursNoMoreUntilWeSetItAgain() throws IOException {
    JournalEntry.TakenOver taken =
        new JournalEntry.TakenOver(AT, "/d/a", JournalEntry.Taken.POLICY, "alice", 2);
    try (Journal journal = Journal.open(directory)) {
      journal.append(new JournalEntry.PolicySet(AT, "/d", "ONE_SSD", ""));
      journal.append(new JournalEntry.ReplicationSet(AT, "/d/a", 3, 4));
      long before = journal.takeovers();
      assertTrue(journal.isConcerned("/d/a", JournalEntry.Taken.POLICY));
      assertFalse(journal.isConcerned("/e", JournalEntry.Taken.POLICY));
      journal.append(taken);
      assertEquals(Optional.of(taken), journal.takenOver("/d/a", before));
      assertEquals(Optional.of(taken), journal.takenOver("/d/a/b", Long.MAX_VALUE));
      assertEquals(Optional.empty(), journal.takenOver("/d/b", before));
      journal.append(
          new JournalEntry.TakenOver(AT, "/d/a", JournalEntry.Taken.REPLICATION, "alice", 2));
    }
    try (Journal journal = Journal.open(directory)) {
      assertFalse(journal.maySet("/d/a", "ONE_SSD"), "the same, and alice's");
      assertTrue(journal.maySet("/d/b", "ONE_SSD"));
      assertEquals(Map.of(), journal.raised());
      journal.append(new JournalEntry.Renamed(AT, "/d", "/e"));
      assertFalse(journal.maySet("/d/b", "ONE_SSD"));
      assertTrue(journal.maySet("/e/b", "ONE_SSD"), "went along");
      assertFalse(journal.maySet("/e/a", "ONE_SSD"), "alice's went along");
      journal.append(new JournalEntry.PolicySet(AT, "/e/a", "HOT", ""));
      assertTrue(journal.maySet("/e/a", "HOT"));
      assertEquals(Optional.empty(), journal.takenOver("/e/a", journal.takeovers()));
      journal.append(new JournalEntry.Renamed(AT, "/e", ""));
      assertFalse(journal.isOnOrBelow("/e"));
    }
  }
}
