// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanSpaceTest {

  private final Scene scene = new Scene().nodes(3, Map.of(DISK, 1000L, SSD, 100L));

  @Test
  void saysHowFullTypesAndDataNodesAreBeforeAndAfter() {
    FileView up = scene.file("/up", 50, "n1-DISK");
    FileView on = scene.file("/on", 7, "n2-DISK");
    Plan plan = new Plan(1, List.of(moves(up, "n1", SSD), moves(on, "n1", DISK)), List.of());

    assertEquals(
        List.of(
            new PlanSpace("", SSD, 0, 50, 300),
            new PlanSpace("", DISK, 57, 7, 3000),
            new PlanSpace("n1:9866", SSD, 0, 50, 100),
            new PlanSpace("n1:9866", DISK, 50, 7, 1000),
            new PlanSpace("n2:9866", DISK, 7, 0, 1000)),
        PlanSpace.of(plan, scene.cluster()));
  }

  private static Plan.FileMoves moves(FileView file, String node, StorageType type) {
    FileView.Block block = file.blocks().get(0);
    Decision decision =
        new Decision(
            new HotFile(file, 1),
            DISK,
            new Target(List.of(type), "HOT"),
            Decision.Cause.PROMOTED,
            "",
            new Gate.Benefit(2, 0, 1));
    Move move =
        new Move("1-0", file.path(), block, block.replicas().get(0), node, node + "-" + type, type);
    return new Plan.FileMoves(decision, null, List.of(move));
  }
}
