// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlanUnderWayTest {

  private static final String AT = "1970-01-01T00:00:00Z";

  private final PlanUnderWay plan = new PlanUnderWay();

  @Test
  void aPolicyIsIdleWhereNoCopyFollowedBelowIt() {
    plan.add(planned("/a/b/c"));
    plan.add(planned("/a/bc"));
    plan.add(planned("/d"));
    for (String path : List.of("/", "/a", "/a/b", "/a/bc", "/a/b/c", "/d", "/other")) {
      plan.set(set(path));
    }
    assertEquals(List.of("/", "/a", "/a/b", "/a/bc", "/a/b/c", "/d"), idle());
    plan.moved(moved("/a/b/c"));
    assertEquals(List.of("/a/bc", "/d"), idle());
    assertEquals(List.of("/a/bc", "/d"), halfMoved(), "set, and not copied");
  }

  @Test
  void aCopyFollowedByJournalsOfEarlierVersionsToo() {
    plan.add(planned("/a"));
    plan.set(set("/a"));
    plan.moved(moved("/a", "COPYING"));
    assertEquals(List.of("/a"), idle());
    plan.moved(moved("/a", "SHOWN"));
    assertEquals(List.of(), idle());
  }

  /** With each policy compared with each file it took minutes. */
  @Test
  @Timeout(10)
  void manyFilesWithPoliciesOfTheirOwnAreSoonLookedAt() {
    int files = 100_000;
    for (int i = 0; i < files; i++) {
      plan.add(planned("/d/" + i));
      plan.set(set("/d/" + i));
      if (i != 7) {
        plan.moved(moved("/d/" + i));
      }
    }
    assertEquals(List.of("/d/7"), idle());
    assertEquals(List.of("/d/7"), halfMoved());
  }

  private List<String> idle() {
    return plan.idlePolicies().stream().map(JournalEntry.PolicySet::path).toList();
  }

  private List<String> halfMoved() {
    return plan.halfMoved().stream().map(file -> file.planned().path()).toList();
  }

  private static JournalEntry.Planned planned(String path) {
    return new JournalEntry.Planned(AT, 1, path, "PROMOTED", "SSD DISK DISK", 1, "read");
  }

  private static JournalEntry.PolicySet set(String path) {
    return new JournalEntry.PolicySet(AT, path, "ONE_SSD", "HOT");
  }

  private static JournalEntry.Moved moved(String path) {
    return moved(path, "VERIFIED");
  }

  private static JournalEntry.Moved moved(String path, String state) {
    return new JournalEntry.Moved(AT, "1-0.0", path, 1, "n1 DISK", "n2 SSD", state, "", 10);
  }
}
