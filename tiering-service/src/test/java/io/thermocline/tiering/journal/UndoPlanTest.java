// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What somebody sets to the same as a plan did is theirs, and not taken back. */
class UndoPlanTest {

  private static final String AT = "2026-11-22T05:00:00Z";
  private static final String FILE = "/d/f";
  private static final UndoPlan.Shown RAISED = shown(5, "");
  private static final UndoPlan.Shown ON_SSD = shown(3, "ONE_SSD");

  @Test
  void aFactorIsWhoseTheLogSays() {
    JournalEntry raised = new JournalEntry.ReplicationSet(AT, FILE, 3, 5);
    assertEquals("", refusal(RAISED, raised));
    String refused = refusal(RAISED, raised, taken(JournalEntry.Taken.REPLICATION));
    assertTrue(refused.contains("ann set 5 since"), refused);
    // It is as it was before: nothing is to be done.
    assertEquals("", refusal(shown(3, ""), raised, taken(JournalEntry.Taken.REPLICATION)));
    assertEquals("", refusal(RAISED, taken(JournalEntry.Taken.REPLICATION), raised));
  }

  @Test
  void aPolicyToo() {
    JournalEntry set = new JournalEntry.PolicySet(AT, "/d", "ONE_SSD", "");
    assertEquals("", refusal(ON_SSD, set));
    JournalEntry taken = new JournalEntry.TakenOver(AT, "/d", JournalEntry.Taken.POLICY, "ann", 0);
    String refused = refusal(ON_SSD, set, taken);
    assertTrue(refused.contains("ann set ONE_SSD on it since"), refused);
    assertEquals("", refusal(shown(3, ""), set, taken));
    assertEquals("", refusal(ON_SSD, taken, set));
    assertEquals("", refusal(ON_SSD, set, taken(JournalEntry.Taken.POLICY)), "of another path");
  }

  private static JournalEntry taken(JournalEntry.Taken what) {
    return new JournalEntry.TakenOver(AT, FILE, what, "ann", 0);
  }

  private static UndoPlan.Shown shown(int factor, String policy) {
    return new UndoPlan.Shown(new FileView(FILE, 0, factor, 0, List.of()), policy, "", 0);
  }

  /** Of the one file of a plan that did this. */
  private static String refusal(UndoPlan.Shown now, JournalEntry... entries) {
    List<JournalEntry> history = new ArrayList<>();
    history.add(new JournalEntry.Planned(AT, 1, FILE, "PROMOTED", "SSD", 0, "hot"));
    history.addAll(List.of(entries));
    UndoPlan undo = UndoPlan.of(1, history);
    return undo.refusal(undo.paths().get(0), now);
  }
}
