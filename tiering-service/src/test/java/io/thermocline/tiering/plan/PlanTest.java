// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanTest {

  private final Scene scene = new Scene().nodes(3, Map.of(DISK, 1000L, SSD, 100L));
  private final Plan.FileMoves moved =
      new Plan.FileMoves(decision("/a/1", Decision.Cause.PROMOTED, 1, 0), "ONE_SSD", moves());
  private final ActionChange cached = new ActionChange(decision("/c", Decision.Cause.CACHED, 1, 2));
  private final ActionChange raised =
      new ActionChange(decision("/r", Decision.Cause.MORE_COPIES, 4, 0));
  private final ActionChange lowered =
      new ActionChange(decision("/l", Decision.Cause.FEWER_COPIES, 1, 0));
  private final Plan plan =
      new Plan(7, List.of(moved), List.of(cached, raised, lowered), List.of());

  @Test
  void countsTheCopiesThatDataNodesMake() {
    assertEquals(2, cached.copies());
    assertEquals(20, cached.bytes());
    assertEquals(3, raised.copies());
    assertEquals(30, raised.bytes());
    assertEquals(0, lowered.copies());
    assertEquals(0, lowered.bytes());
    assertEquals(1 + 2 + 3, plan.copies());
    assertEquals(10 + 20 + 30, plan.bytes());
  }

  @Test
  void isEmptyWithoutAnyChange() {
    assertFalse(plan.isEmpty());
    assertFalse(new Plan(7, List.of(), List.of(cached), List.of()).isEmpty());
    assertTrue(new Plan(7, List.of(), List.of(new Plan.Unplaced(raised.decision(), ""))).isEmpty());
  }

  @Test
  void movesKeepTheirPositionsUnderAnotherNumber() {
    Plan other = plan.numbered(12);

    assertEquals(12, other.number());
    Move was = plan.moves().get(0);
    assertEquals(
        List.of(
            new Move(
                "12-3.0",
                was.path(),
                was.block(),
                was.source(),
                was.targetNode(),
                was.targetStorage(),
                was.targetType())),
        other.moves());
    Plan.FileMoves file = other.files().get(0);
    assertEquals(new Plan.FileMoves(moved.decision(), "ONE_SSD", file.moves()), file);
    assertEquals(plan.actions(), other.actions());
  }

  @Test
  void namesEachDirectoryWithItsPolicyOnce() {
    Plan.FileMoves second =
        new Plan.FileMoves(decision("/a/2", Decision.Cause.PROMOTED, 1, 0), "ONE_SSD", List.of());
    Plan.FileMoves none =
        new Plan.FileMoves(decision("/b/1", Decision.Cause.PROMOTED, 1, 0), null, "/b", List.of());
    Plan.FileMoves own =
        new Plan.FileMoves(decision("/b/2", Decision.Cause.PROMOTED, 1, 0), "HOT", List.of());
    Plan on =
        new Plan(
            7,
            List.of(moved.withPolicyOn("/a", 2), second.withPolicyOn("/a", 2), none, own),
            List.of());

    assertEquals(List.of(new Plan.DirectoryPolicy("/a", "ONE_SSD", 2)), on.directoryPolicies());
  }

  @Test
  void whatNobodyWouldMakeIsUnplaced() {
    Plan.Unplaced before = new Plan.Unplaced(lowered.decision(), "no room");
    Plan some = new Plan(7, List.of(moved), List.of(cached, raised), List.of(before));

    assertSame(some, some.within(change -> Optional.empty()));
    Plan left =
        some.within(change -> change == cached ? Optional.empty() : Optional.of(change.path()));
    assertEquals(List.of(), left.files());
    assertEquals(List.of(cached), left.actions());
    assertEquals(
        List.of(
            before,
            new Plan.Unplaced(moved.decision(), "/a/1"),
            new Plan.Unplaced(raised.decision(), "/r")),
        left.unplaced());
  }

  private List<Move> moves() {
    FileView.Block block = scene.file("/a/1", 10, "n1-DISK").blocks().get(0);
    return List.of(new Move("7-3.0", "/a/1", block, block.replicas().get(0), "n1", "n1-SSD", SSD));
  }

  private Decision decision(String path, Decision.Cause cause, int replication, int inMemory) {
    return new Decision(
        new HotFile(scene.file(path, 10, "n1-DISK"), 1),
        DISK,
        new Target(List.of(SSD), "ONE_SSD", replication, inMemory),
        cause,
        "hot",
        new Gate.Benefit(2, 0, 1));
  }
}
