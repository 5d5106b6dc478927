// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewNodesTest {
  private static final int FILES = 1200;
  private static final int OLD = 6;
  private static final Set<String> JOINED = Set.of("n7-DISK", "n8-DISK");

  private final Random random = new Random(Long.getLong("test.seed", 0));
  private final List<List<String>> places = new ArrayList<>();
  private NumberLines lines = NumberLines.empty();

  @ParameterizedTest
  @ValueSource(ints = {100, 10_000})
  void nodesThatJoinGetTheirShareFromTheFullest(int movesOfAPlan) {
    for (int i = 0; i < FILES; i++) {
      places.add(threeNodes());
    }
    // So that one of the old nodes is fuller than the others.
    for (int i = 0; i < 60; i++) {
      places.add(List.of("n1-DISK"));
    }
    lines = lines.update(scene(OLD).cluster(), Map.of());
    List<Move> moves = new ArrayList<>();
    boolean ended = false;
    for (int round = 0; round < 40 && !ended; round++) {
      Plan plan = plan(OLD + 2, movesOfAPlan);
      plan.moves().forEach(this::carryOut);
      moves.addAll(plan.moves());
      ended = plan.isEmpty();
    }

    assertTrue(ended, "it goes on moving");
    assertTrue(moves.stream().allMatch(move -> JOINED.contains(move.targetStorage())));
    assertTrue(moves.stream().noneMatch(move -> JOINED.contains(move.source().storageId())));
    // The least that fills both as far as the others.
    double share = (3.0 * FILES + 60) * 2 / (OLD + 2);
    assertEquals(share, moves.size(), 0.15 * share);
    ClusterView after = scene(OLD + 2).cluster();
    double most = used(after, "n1-DISK") - used(after, "n2-DISK");
    assertTrue(most < 60, "the fullest gave no more than others");
    for (int node = 1; node <= OLD; node++) {
      assertEquals(share / 2, used(after, "n" + node + "-DISK"), 0.15 * share / 2, "n" + node);
    }
    assertEquals(share / 2, used(after, "n7-DISK"), 0.2 * share / 2);
    assertEquals(share / 2, used(after, "n8-DISK"), 0.2 * share / 2);
  }

  @Test
  void aPlanKeepsItsBudgetAndThePolicy() {
    for (int i = 0; i < FILES; i++) {
      places.add(threeNodes());
    }
    lines = lines.update(scene(OLD).cluster(), Map.of());

    Plan plan = plan(OLD + 2, 100);

    assertEquals(100, plan.moves().size());
    assertEquals(List.of(), plan.unplaced());
    Plan.FileMoves first = plan.files().get(0);
    assertNull(first.storagePolicy());
    String reason = first.decision().reason();
    assertTrue(
        reason.matches(
            "DISK of n[78]:9866 is 0.0 % full, DISK on average 45.0 %: 1 of its 1 blocks belong there"
                + " \\(decide.fillNewNodes\\)"),
        reason);
  }

  /** Of blocks whose home the new node is, those that have no copy there. */
  @Test
  void onlyFilesWithAHomeThereAreConcerned() {
    Scene scene = new Scene().nodes(2, Map.of(DISK, 1000L, SSD, 1000L));
    List<HotFile> near = new ArrayList<>();
    List<HotFile> there = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      near.add(new HotFile(scene.file("/near" + i, 1, "n1-DISK", "n2-SSD"), 0));
      there.add(new HotFile(scene.file("/there" + i, 1, "n1-DISK", "n3-SSD"), 0));
    }
    scene.nodes(1, Map.of(DISK, 1000L, SSD, 1000L)).taken("n2-DISK", 200);
    lines = lines.update(scene.cluster(), Map.of());
    NewNodes newNodes = NewNodes.of(scene.cluster(), lines);

    long concerned = near.stream().filter(hot -> newNodes.concerns(hot.file())).count();
    assertEquals(33, concerned, 25, "those of one node in three");
    assertEquals(concerned, near.stream().flatMap(hot -> newNodes.decision(hot).stream()).count());
    assertTrue(there.stream().noneMatch(hot -> newNodes.concerns(hot.file())));
    assertTrue(there.stream().allMatch(hot -> newNodes.decision(hot).isEmpty()));
    FileView file = near.get(0).file();
    FileView coded = new FileView("/coded", 1, 1, 0, file.blocks(), "", new FileView.Coding(3, 2));
    assertFalse(newNodes.concerns(coded));
  }

  @Test
  void excludedNodesAndThoseThatAreGoneGiveNothing() {
    for (int i = 0; i < FILES; i++) {
      places.add(threeNodes());
    }
    lines = lines.update(scene(OLD).cluster(), Map.of());
    Scene scene = new Scene().nodes(OLD + 2, Map.of(DISK, 1000L, SSD, 100L));
    List<FileView> files = files(scene);
    Map<String, ClusterView.Node> nodes = new HashMap<>(scene.cluster().nodes());
    nodes.remove("n2");
    ClusterView cluster = new ClusterView(nodes, 1).without(List.of("n1"));

    Plan plan = plan(cluster, files, 1000);

    Set<String> sources = new HashSet<>();
    plan.moves().forEach(move -> sources.add(move.source().node()));
    assertEquals(Set.of("n3", "n4", "n5", "n6"), sources);
  }

  @Test
  void nothingMovesWhereAllAreAboutAsFull() {
    for (int i = 0; i < FILES; i++) {
      places.add(List.of("n" + (1 + i % OLD) + "-DISK"));
    }
    lines = lines.update(scene(OLD).cluster(), Map.of());

    assertTrue(plan(OLD, 100).isEmpty());
  }

  private Plan plan(int nodes, int moves) {
    Scene scene = new Scene().nodes(nodes, Map.of(DISK, 1000L, SSD, 100L));
    List<FileView> files = files(scene);
    return plan(scene.cluster(), files, moves);
  }

  private Plan plan(ClusterView cluster, List<FileView> files, int moves) {
    lines = lines.update(cluster, Map.of());
    NewNodes newNodes = NewNodes.of(cluster, lines);
    List<Decision> decisions =
        files.stream()
            .filter(newNodes::concerns)
            .flatMap(file -> newNodes.decision(new HotFile(file, 0)).stream())
            .toList();
    return new Planner(new Budget(moves, 1 << 30, 0.95)).plan(1, decisions, cluster, lines);
  }

  private Scene scene(int nodes) {
    Scene scene = new Scene().nodes(nodes, Map.of(DISK, 1000L, SSD, 100L));
    files(scene);
    return scene;
  }

  private List<FileView> files(Scene scene) {
    List<FileView> files = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      files.add(scene.file("/f" + i, 1, places.get(i).toArray(String[]::new)));
    }
    return files;
  }

  private void carryOut(Move move) {
    int file = Integer.parseInt(move.path().substring(2));
    List<String> after = new ArrayList<>(places.get(file));
    int racks = racks(after);
    assertTrue(after.remove(move.source().storageId()));
    after.add(move.targetStorage());
    assertEquals(after.size(), new HashSet<>(after).size(), "two replicas on a node");
    assertTrue(racks(after) >= racks, "fewer racks");
    places.set(file, after);
  }

  private static int racks(List<String> storages) {
    return (int)
        storages.stream()
            .map(each -> (Integer.parseInt(each.substring(1, 2)) - 1) / 2)
            .distinct()
            .count();
  }

  private List<String> threeNodes() {
    List<String> nodes = new ArrayList<>();
    while (nodes.size() < 3 || racks(nodes) < 2) {
      nodes.clear();
      random.ints(1, OLD + 1).distinct().limit(3).forEach(node -> nodes.add("n" + node + "-DISK"));
    }
    return nodes;
  }

  private static long used(ClusterView cluster, String storage) {
    return cluster.nodes().get(storage.substring(0, 2)).storages().stream()
        .filter(each -> each.id().equals(storage))
        .findFirst()
        .orElseThrow()
        .used();
  }
}
