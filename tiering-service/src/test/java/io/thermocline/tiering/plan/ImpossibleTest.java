// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImpossibleTest {

  private final Scene scene = new Scene().nodes(2, Map.of(DISK, 1000L, ARCHIVE, 1000L));
  private final FileView file = scene.file("/a", 50, "n1-DISK", "n2-DISK", "n1-ARCHIVE");

  @Test
  void saysThatThereAreTooFewNodesAndSinceWhen() {
    String reason = Impossible.reason(cold(3), scene.cluster()).orElseThrow();
    assertEquals(
        "impossible: 3 copies go to ARCHIVE, each to another DataNode, and 2 DataNodes have that type",
        reason);
    assertEquals(Optional.empty(), Impossible.reason(cold(2), scene.cluster()));

    Impossible impossible = new Impossible();
    Plan plan = new Plan(1, List.of(), List.of(new Plan.Unplaced(cold(3), reason)));
    impossible.since(plan, Instant.EPOCH);
    Plan later = impossible.since(plan, Instant.EPOCH.plusSeconds(60));
    assertEquals(
        reason + ", at least since 1970-01-01T00:00:00Z, the service's first plan",
        later.unplaced().get(0).reason());
    impossible.since(new Plan(3, List.of(), List.of()), Instant.EPOCH.plusSeconds(120));
    Plan again = impossible.since(plan, Instant.EPOCH.plusSeconds(180));
    assertEquals(reason + ", since 1970-01-01T00:03:00Z", again.unplaced().get(0).reason());
  }

  @Test
  void goesOnWithWhatWasKeptBeforeARestart() {
    String reason = Impossible.reason(cold(3), scene.cluster()).orElseThrow();
    Plan plan = new Plan(1, List.of(), List.of(new Plan.Unplaced(cold(3), reason)));
    Plan none = new Plan(2, List.of(), List.of());
    List<Map<String, String>> kept = new ArrayList<>();
    Impossible before = new Impossible(Optional.empty(), kept::add);
    before.since(none, Instant.EPOCH);
    before.since(plan, Instant.EPOCH.plusSeconds(60));
    before.since(plan, Instant.EPOCH.plusSeconds(120));
    assertEquals(
        List.of(Map.of(), Map.of("/a", "since 1970-01-01T00:01:00Z")), kept, "where it changed");

    Impossible after = new Impossible(Optional.of(kept.get(1)), kept::add);
    Plan still = after.since(plan, Instant.EPOCH.plusSeconds(3600));
    assertEquals(reason + ", since 1970-01-01T00:01:00Z", still.unplaced().get(0).reason());
    after.since(none, Instant.EPOCH.plusSeconds(7200));
    assertEquals(Map.of(), kept.get(2), "it isn't any more");
  }

  @Test
  void leavesOtherReasonsAsTheyAre() {
    Plan.Unplaced other = new Plan.Unplaced(cold(2), "the plan's budget is spent");
    String reason = Impossible.reason(cold(3), scene.cluster()).orElseThrow();
    Plan plan = new Plan(1, List.of(), List.of(other, new Plan.Unplaced(cold(3), reason)));

    Plan said = new Impossible().since(plan, Instant.EPOCH);

    assertEquals(other, said.unplaced().get(0));
    assertEquals(2, said.unplaced().size());
    Plan without = new Plan(2, List.of(), List.of(other));
    assertSame(without, new Impossible().since(without, Instant.EPOCH));
  }

  @Test
  void oneDataNodeIsCountedAsOne() {
    Scene one = new Scene().nodes(2, Map.of(DISK, 1000L)).nodes(1, Map.of(ARCHIVE, 1000L));
    assertEquals(
        Optional.of(
            "impossible: 2 copies go to ARCHIVE, each to another DataNode, and 1 DataNode has that"
                + " type"),
        Impossible.reason(cold(2), one.cluster()));
  }

  private Decision cold(int copies) {
    return new Decision(
        new HotFile(file, 0),
        DISK,
        new Target(List.of(ARCHIVE, ARCHIVE, ARCHIVE).subList(0, copies), "COLD"),
        Decision.Cause.ARCHIVED,
        "",
        new Gate.Benefit(Double.NaN, Double.NaN, Double.NaN));
  }
}
