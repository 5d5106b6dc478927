// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.Wear;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadShares;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Budgets to the last move and byte. */
class SpendingTest {

  private static final String SPENT = "the plan's budget is spent";

  private final Scene scene = new Scene().nodes(1, Map.of(DISK, 1000L, SSD, 1000L, ARCHIVE, 1000L));

  @Test
  void aFileThatAPlanCouldMoveWaitsAsAWhole() {
    Decision one = promoted("/one", 10);
    Decision two = promoted("/two", 40, 40);

    for (Budget budget : List.of(new Budget(2, 1000, 0.9), new Budget(9, 80, 0.9))) {
      assertEquals(List.of("/two"), paths(plan(budget, Map.of(), two)), "to the last");
      Plan plan = plan(budget, Map.of(), one, two);
      assertEquals(List.of("/one"), paths(plan));
      assertEquals(List.of(SPENT), reasons(plan));
    }
    assertEquals(3, plan(new Budget(3, 90, 0.9), Map.of(), one, two).moves().size());
  }

  @Test
  void whatWearsIsWrittenToTheLastByteOfADay() {
    Budget plenty = new Budget(100, 1000, 0.9);
    Decision one = promoted("/one", 10);
    Decision two = promoted("/two", 40, 40);

    assertEquals(80, plan(plenty, Map.of(SSD, Wear.of(80, 0)), two).bytes());
    Plan plan = plan(plenty, Map.of(SSD, Wear.of(80, 0)), one, two);
    assertEquals(List.of("/one"), paths(plan), "another day has room for all of it");
    assertEquals(
        List.of("SSD may not be written more today: 0 of 80 bytes are, and this plan's"),
        reasons(plan));
    assertEquals(90, plan(plenty, Map.of(SSD, Wear.of(100, 10)), one, two).bytes());
    assertEquals(80, plan(plenty, Map.of(ARCHIVE, Wear.of(1, 1)), two).bytes(), "another type");
    Decision cold = decision("/cold", Decision.Cause.ARCHIVED, ARCHIVE, 0, 100);
    assertEquals(100, plan(plenty, Map.of(SSD, Wear.of(80, 80)), cold).bytes());
  }

  @Test
  void copiesInMemoryCountAsMovesDo() {
    Budget budget = new Budget(2, 20, 0.9);
    Decision both = decision("/both", Decision.Cause.CACHED, DISK, 1, 10, 10);
    Decision one = decision("/one", Decision.Cause.CACHED, DISK, 1, 10);

    assertEquals(List.of(), reasons(plan(budget, Map.of(), both)), "to the last");
    assertEquals(List.of(), reasons(plan(budget, Map.of(), one, one)));
    assertEquals(List.of(SPENT), reasons(plan(budget, Map.of(), one, both)));
    assertEquals(List.of(SPENT), reasons(plan(new Budget(9, 20, 0.9), Map.of(), one, both)));
    assertEquals(List.of(SPENT), reasons(plan(new Budget(2, 1000, 0.9), Map.of(), one, both)));
    Decision away = decision("/away", Decision.Cause.UNCACHED, DISK, 0, 10);
    assertEquals(List.of(), reasons(plan(budget, Map.of(), both, away)), "copies nothing");
    assertEquals(List.of(SPENT), reasons(plan(budget, Map.of(), both, promoted("/up", 1))));
  }

  @Test
  void whatNoPlanCouldCopyIsSaidToBeTooMuch() {
    Decision three = decision("/three", Decision.Cause.CACHED, DISK, 1, 10, 10, 10);
    String much = "3 copies of 30 bytes in all are more than any plan makes";

    assertEquals(List.of(much), reasons(plan(new Budget(2, 1000, 0.9), Map.of(), three)));
    assertEquals(List.of(much), reasons(plan(new Budget(9, 29, 0.9), Map.of(), three)));
    assertEquals(List.of(), reasons(plan(new Budget(3, 30, 0.9), Map.of(), three)));
  }

  private static List<String> paths(Plan plan) {
    return plan.files().stream().map(Plan.FileMoves::path).toList();
  }

  private static List<String> reasons(Plan plan) {
    return plan.unplaced().stream().map(Plan.Unplaced::reason).toList();
  }

  private Plan plan(Budget budget, Map<StorageType, Wear> wear, Decision... decisions) {
    ClusterView cluster = scene.cluster();
    NumberLines lines = NumberLines.empty().update(cluster, Map.of());
    return new Planner(budget)
        .plan(1, List.of(decisions), cluster, lines, wear, ReadShares.fastest());
  }

  private Decision promoted(String path, long... lengths) {
    return decision(path, Decision.Cause.PROMOTED, SSD, 0, lengths);
  }

  /** Of a file with one copy on DISK, of blocks of these lengths. */
  private Decision decision(
      String path, Decision.Cause cause, StorageType type, int inMemory, long... lengths) {
    List<FileView.Block> blocks = new ArrayList<>();
    long all = 0;
    for (long length : lengths) {
      blocks.add(scene.file(path, length, "n1-DISK").blocks().get(0));
      all += length;
    }
    return new Decision(
        new HotFile(new FileView(path, all, 1, 0, blocks), 1),
        DISK,
        new Target(List.of(type), "HOT", 1, inMemory),
        cause,
        "",
        new Gate.Benefit(2, 0, 1));
  }
}
