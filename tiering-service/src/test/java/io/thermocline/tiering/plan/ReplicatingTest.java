// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Disks of three nodes, of which 94 bytes of 100 may be taken. */
class ReplicatingTest {

  private final Scene scene = new Scene().nodes(3, Map.of(DISK, 100L, SSD, 100L));

  @Test
  void eachFurtherReplicaTakesRoomOnADiskOfAnotherNode() {
    Decision first = raised(3, scene.file("/a", 40, "n1-DISK"));
    Decision second = raised(3, scene.file("/b", 20, "n1-DISK"));
    Decision demoted = demoted(scene.file("/c", 50, "n2-SSD"));

    Plan plan = plan(first, second, demoted);

    assertEquals(List.of("/a", "/b"), plan.actions().stream().map(ActionChange::path).toList());
    // Of n2 and n3, 60 bytes are; of n1, the two files themselves.
    assertEquals(
        List.of(
            "no DISK storage has room for block 3 (50 bytes) without two replicas on a node or"
                + " fewer racks"),
        reasons(plan));
  }

  @Test
  void whereOneFindsNoPlaceTheOthersGiveTheirRoomBack() {
    Decision raised = raised(3, scene.file("/a", 40, "n1-DISK"));
    Decision demoted = demoted(scene.file("/c", 60, "n2-SSD"));
    scene.taken("n3-DISK", 70);

    Plan plan = plan(raised, demoted);

    assertEquals(List.of("no DISK storage on a further node has room for block 1"), reasons(plan));
    assertEquals(List.of("n2-DISK"), plan.moves().stream().map(Move::targetStorage).toList());
  }

  @Test
  void whatIsCachedNeedsNoRoomOnDisks() {
    FileView file = scene.file("/a", 40, "n1-DISK");
    scene.taken("n2-DISK", 90);
    scene.taken("n3-DISK", 90);

    Plan plan = plan(decision(file, Decision.Cause.CACHED, new Target(List.of(DISK), "HOT", 3, 1)));

    assertEquals(1, plan.actions().size());
  }

  private static List<String> reasons(Plan plan) {
    return plan.unplaced().stream().map(Plan.Unplaced::reason).toList();
  }

  private Plan plan(Decision... decisions) {
    ClusterView cluster = scene.cluster();
    return new Planner(new Budget(100, 1000, 0.94))
        .plan(1, List.of(decisions), cluster, NumberLines.empty().update(cluster, Map.of()));
  }

  private static Decision raised(int replication, FileView file) {
    return decision(
        file, Decision.Cause.MORE_COPIES, new Target(List.of(DISK), "HOT", replication, 0));
  }

  private static Decision demoted(FileView file) {
    return decision(file, Decision.Cause.COLD_MIGRATION, new Target(List.of(DISK), "HOT"));
  }

  private static Decision decision(FileView file, Decision.Cause cause, Target target) {
    return new Decision(new HotFile(file, 1), DISK, target, cause, "", new Gate.Benefit(2, 0, 1));
  }
}
