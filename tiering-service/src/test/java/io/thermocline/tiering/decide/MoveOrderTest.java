// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files that somebody wants on a type, once. */
class MoveOrderTest {

  private static final Map<StorageType, TierLimits> LIMITS =
      Map.of(
          SSD, new TierLimits(0.8, 0.9, 2),
          DISK, new TierLimits(0.75, 0.85, 1),
          ARCHIVE, new TierLimits(0.85, 0.9, 0));

  private final Scene scene =
      new Scene().nodes(3, Map.of(SSD, 100L, DISK, 10_000L, ARCHIVE, 10_000L));
  private final List<HotFile> files = new ArrayList<>();
  private final Map<String, Hold> asked = new HashMap<>();

  private void ask(String path, long length, Hold hold, String... places) {
    files.add(new HotFile(scene.file(path, length, places), 0));
    asked.put(path, hold);
  }

  private MoveOrder.Result order(StorageType type) {
    return new MoveOrder(Tiering.plain(LIMITS, 0.2))
        .decide(files, Situation.of(scene.cluster()), asked, type, "order of ann: report");
  }

  @Test
  void bringsAColdFileUpAndNoOtherFile() {
    ask("/cold", 50, Hold.NONE, "n1-DISK", "n2-DISK", "n3-DISK");
    files.add(new HotFile(scene.file("/hot", 50, "n1-DISK", "n2-DISK", "n3-DISK"), 99));
    Decision decision = order(SSD).decisions().get(0);
    assertEquals(1, order(SSD).decisions().size());
    assertEquals("/cold", decision.hot().file().path());
    assertEquals(List.of(SSD, DISK, DISK), decision.target().copies());
    assertEquals("ONE_SSD", decision.target().storagePolicy());
    assertEquals(Decision.Cause.ORDERED_UP, decision.cause());
    assertTrue(
        decision.reason().startsWith("at least SSD by order of ann: report"), decision.reason());
  }

  @Test
  void bringsAFileDownWithAllCopies() {
    ask("/hot", 50, Hold.NONE, "n1-SSD", "n2-DISK", "n3-DISK");
    Decision decision = order(ARCHIVE).decisions().get(0);
    assertEquals(List.of(ARCHIVE, ARCHIVE, ARCHIVE), decision.target().copies());
    assertEquals(Decision.Cause.ORDERED_DOWN, decision.cause());
  }

  @Test
  void saysWhyAFileStays() {
    ask("/there", 50, Hold.NONE, "n1-SSD", "n2-DISK", "n3-DISK");
    ask("/pinned", 50, Hold.still("pinned by r"), "n1-DISK", "n2-DISK", "n3-DISK");
    ask(
        "/low",
        50,
        Hold.NONE.between(null, new Hold.Bound(DISK, "rule 7")),
        "n1-DISK",
        "n2-DISK",
        "n3-DISK");
    ask("/large", 900, Hold.NONE, "n1-DISK", "n2-DISK", "n3-DISK");
    ask("/in-memory", 50, Hold.NONE, "n1-RAM_DISK", "n2-DISK", "n3-DISK");
    ask("/lost", 50, Hold.NONE);
    ask("/empty", 0, Hold.NONE, "n1-DISK");
    MoveOrder.Result result = order(SSD);
    assertEquals(List.of(), result.decisions());
    assertEquals("its fastest copy is on SSD already", result.left().get("/there"));
    assertEquals("pinned by r", result.left().get("/pinned"));
    assertEquals("at most DISK by rule 7", result.left().get("/low"));
    assertTrue(result.left().get("/large").startsWith("no room"), result.left().get("/large"));
    for (String path : List.of("/in-memory", "/lost", "/empty")) {
      assertEquals("it has no copy that can be moved", result.left().get(path), path);
    }
    assertEquals(7, result.left().size());
  }

  @Test
  void saysThatTheClusterHasNoSuchType() {
    ask("/f", 50, Hold.NONE, "n1-DISK", "n2-DISK", "n3-DISK");
    assertEquals(
        Map.of("/f", "the cluster has no NVDIMM, or decide.tiers leaves it out"),
        order(NVDIMM).left());
  }

  @Test
  void displacesNobody() {
    files.add(new HotFile(scene.file("/other", 50, "n1-SSD", "n2-DISK", "n3-DISK"), 0));
    scene.taken("n2-SSD", 100).taken("n3-SSD", 95);
    ask("/cold", 50, Hold.NONE, "n1-DISK", "n2-DISK", "n3-DISK");
    assertEquals(List.of(), order(SSD).decisions());
  }
}
