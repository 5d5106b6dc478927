// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** On which storage a copy may be, and on which of several it is. */
class BlockLayoutTest {

  private final Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 100L));

  @Test
  void ofStoragesOnItsNodesTheEmptiestTakesTheCopy() {
    scene.taken("n1-SSD", 4).taken("n2-SSD", 4).taken("n3-SSD", 2).taken("n5-SSD", 3);
    FileView file = scene.file("/a", 1, "n1-DISK", "n3-DISK", "n5-DISK");

    assertEquals(List.of("n3-SSD"), targets(plan(scene.cluster(), up(file))));
  }

  @Test
  void aStorageIsFilledToTheLastByteThatItMayHave() {
    FileView fits = scene.file("/fits", 95, "n1-DISK");
    assertEquals(List.of("n1-SSD"), targets(plan(scene.cluster(), up(fits))));

    // A DataNode takes a copy only where a whole block more is free.
    ClusterView blocks = new ClusterView(scene.cluster().nodes(), 60);
    FileView free = scene.file("/free", 39, "n1-DISK");
    assertEquals(List.of("n1-SSD"), targets(plan(blocks, up(free))));
    assertEquals(List.of(), targets(plan(blocks, up(scene.file("/one-more", 40, "n1-DISK")))));
    Plan both = plan(blocks, up(free), up(scene.file("/later", 1, "n1-DISK")));
    assertEquals(1, both.moves().stream().filter(m -> m.targetNode().equals("n1")).count());
  }

  @Test
  void saysHowManyDataNodesAreExcluded() {
    FileView file = scene.file("/a", 50, "n1-DISK");
    scene.taken("n1-SSD", 100);
    ClusterView others = scene.cluster().without(List.of("n2", "n3", "n4", "n5", "n6"));

    String reason = plan(others, up(file)).unplaced().get(0).reason();

    assertEquals(
        "no SSD storage has room for block "
            + file.blocks().get(0).id()
            + " (50 bytes) without two replicas on a node or fewer racks, with none to the 5"
            + " excluded DataNodes (act.exclude)",
        reason);
  }

  /** Racks of three nodes; of a group each has two internal blocks, of which the one on n4 goes to SSD. */
  @Test
  void noRackGetsMoreOfAGroupThanTheFullestHas() {
    List<FileView.Block> blocks = new ArrayList<>();
    for (String storage : List.of("n1-SSD", "n2-SSD", "n4-DISK", "n5-SSD")) {
      FileView.Block made = scene.file("/", 10, storage).blocks().get(0);
      blocks.add(new FileView.Block("BP-1", -16 + blocks.size(), 1, 10, made.replicas()));
    }
    FileView file = new FileView("/c", 40, 1, 0, blocks, "", new FileView.Coding(3, 1));

    Plan refused = plan(racksOfThree("n1", "n2", "n3", "n5"), up(file));
    assertEquals(List.of(), targets(refused), "the rack of n3 would have three");
    assertEquals(
        List.of("n6-SSD"), targets(plan(racksOfThree("n1", "n2", "n3", "n5", "n6"), up(file))));
    assertEquals(List.of("n4-SSD"), targets(plan(racksOfThree("n1", "n2", "n4", "n5"), up(file))));
  }

  @Test
  void theCopyStaysOnSsdThatServesTheMostReads() {
    FileView file = scene.file("/a", 10, "n1-SSD", "n2-SSD", "n4-SSD");

    assertEquals(List.of("n1", "n4"), leaving(file, "n2"));
    assertEquals(List.of("n1", "n2"), leaving(file, "n4"));
    assertEquals(List.of("n2", "n4"), leaving(file, "n1"));
  }

  @Test
  void theCopyStaysThatServesTheMostWhereNoneHasADiskOnItsNode() {
    Scene apart = new Scene().nodes(3, Map.of(SSD, 100L)).nodes(6, Map.of(DISK, 100L));
    FileView file = apart.file("/a", 10, "n1-SSD", "n2-SSD", "n3-SSD");

    for (String reader : List.of("n1", "n2", "n3")) {
      Set<String> left = new TreeSet<>(Set.of("n1", "n2", "n3"));
      left.remove(reader);
      assertEquals(List.copyOf(left), leaving(apart.cluster(), file, reader));
    }
  }

  private List<String> leaving(FileView file, String reader) {
    return leaving(scene.cluster(), file, reader);
  }

  /** Which DataNodes' copies leave SSD when one may stay, in order of names, with a reader on one of them. */
  private static List<String> leaving(ClusterView cluster, FileView file, String reader) {
    Decision decision =
        new Decision(
            new HotFile(file, 1),
            SSD,
            new Target(List.of(SSD, DISK, DISK), "ONE_SSD"),
            Decision.Cause.DISPLACED,
            "",
            new Gate.Benefit(0, 0, 0));
    Readers readers = new Readers(Map.of(reader, 1.0), Map.of("/default-rack", 1.0), false);
    ReadShares reads = new ReadShares(ReadOrder.NEAREST, readers, Map.of());
    return new Planner(new Budget(100, 1000, 0.95))
            .plan(
                1,
                List.of(decision),
                cluster,
                NumberLines.empty().update(cluster, Map.of()),
                Map.of(),
                reads)
            .moves()
            .stream()
            .map(move -> move.source().node())
            .sorted()
            .toList();
  }

  /** A cluster of the scene's nodes, of which some have an SSD. */
  private ClusterView racksOfThree(String... fast) {
    Map<String, ClusterView.Node> nodes = new HashMap<>();
    scene
        .cluster()
        .nodes()
        .forEach(
            (id, node) -> {
              List<ClusterView.Storage> storages = new ArrayList<>(node.storages());
              storages.removeIf(each -> each.type() == SSD && !List.of(fast).contains(id));
              String rack = id.compareTo("n4") < 0 ? "/a" : "/b";
              nodes.put(id, new ClusterView.Node(id, node.name(), rack, storages));
            });
    return new ClusterView(nodes, 1);
  }

  private static List<String> targets(Plan plan) {
    return plan.moves().stream().map(Move::targetStorage).toList();
  }

  private static Plan plan(ClusterView cluster, Decision... decisions) {
    return new Planner(new Budget(100, 1000, 0.95))
        .plan(1, List.of(decisions), cluster, NumberLines.empty().update(cluster, Map.of()));
  }

  /** With its first copy on SSD. */
  private static Decision up(FileView file) {
    List<StorageType> copies = new ArrayList<>(file.blocks().get(0).types());
    copies.set(0, SSD);
    return new Decision(
        new HotFile(file, 1),
        DISK,
        new Target(copies, "ONE_SSD"),
        Decision.Cause.PROMOTED,
        "",
        new Gate.Benefit(2, 0, 1));
  }
}
