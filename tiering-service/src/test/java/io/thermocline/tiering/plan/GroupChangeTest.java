// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.thermocline.placement.model.StorageType;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GroupChangeTest {

  private static final GroupChange.Place PLACE =
      new GroupChange.Place("n1", "n1:9866", "s1", StorageType.SSD);

  @Test
  void countsTheCopiesThatAreMade() {
    GroupChange file = change(GroupChange.Kind.MAKE_FILE, 1);
    assertEquals(1, file.copies());
    assertEquals(30, file.bytes());
    GroupChange raised = change(GroupChange.Kind.RAISE, 2);
    assertEquals(5, raised.copies(), "one of each block");
    assertEquals(30, raised.bytes());
    assertEquals(0, GroupChange.end(3, "cold").copies());
    assertEquals(0, GroupChange.end(3, "cold").bytes());
  }

  @Test
  void eachPlaceGetsACopyOfEachMember() {
    GroupChange one = change(GroupChange.Kind.RAISE, 2);
    GroupChange two =
        new GroupChange(
            one.kind(),
            2,
            one.members(),
            one.pattern(),
            one.sequence(),
            List.of(PLACE, new GroupChange.Place("n2", "n2:9866", "s2", StorageType.DISK)),
            0,
            "");
    assertEquals(10, two.copies());
    assertEquals(60, two.bytes());
    assertEquals("group 2", two.name());
  }

  @Test
  void saysWhatIsDone() {
    assertEquals(
        "a file with copies of 2 files, on [n1:9866 SSD]",
        change(GroupChange.Kind.MAKE_FILE, 1).words());
    assertEquals(
        "one more replica of 2 files, on [n1:9866 SSD]", change(GroupChange.Kind.RAISE, 1).words());
    assertEquals("its copies go", GroupChange.end(1, "cold").words());
  }

  @Test
  void whatABudgetDoesNotAllowWaitsAndWhatEndsNever() {
    Plan plan = new Plan(7, List.of(), List.of());
    List<GroupChange> changes =
        List.of(
            change(GroupChange.Kind.RAISE, 1),
            change(GroupChange.Kind.MAKE_FILE, 2),
            change(GroupChange.Kind.MAKE_FILE, 3),
            GroupChange.end(4, "cold"));
    Plan grouped = plan.withGroups(changes, new Budget(4, 1000, 1));
    assertEquals(List.of(2L, 3L, 4L), ids(grouped), "five copies are more than four");
    assertEquals(2, grouped.copies());
    assertEquals(60, grouped.bytes());
    assertFalse(grouped.isEmpty());
    assertEquals(List.of(1L, 4L), ids(plan.withGroups(changes, new Budget(100, 59, 1))));
    assertEquals(List.of(1L, 2L, 4L), ids(plan.withGroups(changes, new Budget(6, 60, 1))));
    // What is in the plan already counts.
    assertEquals(
        LongStream.of(2, 4).boxed().toList(),
        ids(plan.withGroups(changes.subList(1, 4), new Budget(1, 1000, 1))));
  }

  private static List<Long> ids(Plan plan) {
    return plan.groups().stream().map(GroupChange::group).toList();
  }

  private static GroupChange change(GroupChange.Kind kind, long id) {
    return new GroupChange(
        kind,
        id,
        List.of(
            new GroupChange.Member("/a", 1, 10, 2, 3), new GroupChange.Member("/b", 2, 20, 3, 3)),
        "local",
        "random_small",
        List.of(PLACE),
        0,
        "read together");
  }
}
