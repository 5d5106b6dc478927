// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.NodeAttributesException;
import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.Wear;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PlannerTest {

  private static final long SEED = Long.getLong("test.seed", 0);
  private static final int SCENES = Boolean.getBoolean("test.short") ? 30 : 300;
  private static final Budget PLENTY = new Budget(1000, 1 << 30, 0.95);

  private final Scene scene =
      new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 100L, NVDIMM, 100L, ARCHIVE, 1000L));

  @Test
  void movesOneCopyForAPromotion() {
    FileView file = scene.file("/a", 50, "n1-DISK", "n3-DISK", "n5-DISK");

    Plan plan = plan(PLENTY, decision(file, SSD, DISK));

    assertEquals(List.of(), plan.unplaced());
    Move move = plan.moves().get(0);
    assertEquals(1, plan.moves().size());
    assertEquals(DISK, move.source().type());
    assertTrue(file.blocks().get(0).replicas().contains(move.source()));
    assertEquals(SSD, move.targetType());
    assertEquals(move.targetNode() + "-SSD", move.targetStorage());
    assertEquals(move.source().node(), move.targetNode(), "no copy over the network");
    assertEquals(50, plan.bytes());
  }

  @Test
  void movesTheCopyThatServesTheMostReads() {
    FileView file = scene.file("/a", 50, "n1-DISK", "n3-DISK", "n5-DISK");
    Map<String, String> racks =
        Map.of("n1", "/r1", "n2", "/r1", "n3", "/r3", "n4", "/r3", "n5", "/r5", "n6", "/r5");
    for (String reader : List.of("n2", "n3", "n6")) {
      // n2 and n6 hold no replica: the one in their rack is the nearest.
      Readers readers = new Readers(Map.of(reader, 1.0), Map.of(racks.get(reader), 1.0), false);
      for (ReadOrder order : List.of(ReadOrder.NEAREST, ReadOrder.NEAREST_THEN_TYPE)) {
        Plan plan =
            new Planner(PLENTY)
                .plan(
                    1,
                    List.of(decision(file, SSD, DISK)),
                    scene.cluster(),
                    lines(),
                    Map.of(),
                    new ReadShares(order, readers, racks));
        assertEquals(
            racks.get(reader), racks.get(plan.moves().get(0).targetNode()), reader + " " + order);
      }
    }
  }

  /** Though the storages there get fuller than others; where readers are everywhere, none does. */
  @Test
  void copiesOfManyFilesGoNearTheirReaders() {
    Map<String, String> racks =
        Map.of("n1", "/r0", "n2", "/r0", "n3", "/r1", "n4", "/r1", "n5", "/r2", "n6", "/r2");
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      decisions.add(decision(scene.file("/f" + i, 2, "n1-DISK", "n3-DISK", "n5-DISK"), SSD, DISK));
    }
    Readers inOneRack = new Readers(Map.of("n2", 1.0), Map.of("/r0", 1.0), false);
    assertEquals(Map.of("n1", 40L), targets(decisions, inOneRack, racks));

    double third = 1.0 / 3;
    Readers everywhere =
        new Readers(Map.of(), Map.of("/r0", third, "/r1", third, "/r2", third), false);
    Map<String, Long> spread = targets(decisions, everywhere, racks);
    assertTrue(spread.values().stream().allMatch(copies -> copies <= 20), spread::toString);
  }

  /** By DataNode, the copies that it gets with HDFS's order. */
  private Map<String, Long> targets(
      List<Decision> decisions, Readers readers, Map<String, String> racks) {
    return new Planner(PLENTY)
            .plan(
                1,
                decisions,
                scene.cluster(),
                lines(),
                Map.of(),
                new ReadShares(ReadOrder.NEAREST, readers, racks))
            .moves()
            .stream()
            .collect(Collectors.groupingBy(Move::targetNode, Collectors.counting()));
  }

  @Test
  void sendsBlocksToTheirHomesFromNodesThatAreFullerThanOthers() {
    for (int i = 1; i <= 6; i++) {
      scene.taken("n" + i + "-NVDIMM", i == 1 ? 30 : 1);
    }
    // One copy only, so that nothing stands in the way of the home.
    for (int i = 0; i < 10; i++) {
      FileView file = scene.file("/f" + i, 1, "n1-DISK");
      Move move = plan(PLENTY, decision(file, NVDIMM, DISK)).moves().get(0);
      assertEquals(lines().home(NVDIMM, move.block().id(), storage -> true), move.targetStorage());
    }
  }

  @Test
  void archivesAllButOne() {
    FileView file = scene.file("/a", 50, "n1-DISK", "n3-DISK", "n5-DISK");

    List<Move> moves = plan(PLENTY, decision(file, DISK, ARCHIVE)).moves();

    assertEquals(2, moves.size());
    assertTrue(moves.stream().allMatch(move -> move.targetType() == ARCHIVE));
    assertEquals(2, moves.stream().map(Move::source).distinct().count());
    assertEquals(2, moves.stream().map(Move::id).distinct().count());
  }

  @Test
  void sendsNoCopyOnThroughAnotherType() {
    FileView file = scene.file("/a", 50, "n1-SSD", "n3-DISK", "n5-DISK");

    List<Move> moves = plan(PLENTY, decision(file, DISK, ARCHIVE)).moves();

    assertEquals(List.of(ARCHIVE, ARCHIVE), moves.stream().map(Move::targetType).toList());
    assertTrue(
        file.blocks().get(0).replicas().containsAll(moves.stream().map(Move::source).toList()));
  }

  @Test
  void leavesAloneWhatMissesAReplica() {
    FileView whole = scene.file("/a", 50, "n1-DISK", "n3-DISK");
    FileView missing = new FileView("/a", 50, 3, 0, whole.blocks());

    Plan plan = plan(PLENTY, decision(missing, SSD, DISK));

    assertTrue(plan.isEmpty());
    assertEquals(
        "block " + whole.blocks().get(0).id() + " has 2 live replicas of 3",
        plan.unplaced().get(0).reason());
  }

  @Test
  void saysWhyACopyInMemoryIsLeftAlone() {
    FileView file = scene.file("/a", 50, "n1-RAM_DISK", "n3-DISK");
    String reason =
        "block "
            + file.blocks().get(0).id()
            + " has a copy on RAM_DISK, from where HDFS cannot move it";

    assertEquals(reason, plan(PLENTY, decision(file, SSD, DISK)).unplaced().get(0).reason());
    assertEquals(reason, plan(PLENTY, decision(file, DISK, ARCHIVE)).unplaced().get(0).reason());
  }

  @Test
  void sendsNothingWhereThereIsNoRoom() {
    FileView file = scene.file("/a", 96, "n1-DISK", "n3-DISK", "n5-DISK");

    Plan plan = plan(PLENTY, decision(file, SSD, DISK));

    assertTrue(plan.isEmpty());
    assertEquals(
        "no SSD storage has room for block "
            + file.blocks().get(0).id()
            + " (96 bytes) without two replicas on a node or fewer racks",
        plan.unplaced().get(0).reason());
  }

  @Test
  void sendsNothingToADataNodeThatHdfsFindsSlow() {
    FileView file = scene.file("/a", 50, "n1-DISK", "n3-DISK", "n5-DISK");
    ClusterView slow = scene.cluster().withSlow(Set.of("n1", "n3"));

    Plan plan = plan(slow, decision(file, SSD, DISK));

    assertEquals(1, plan.moves().size());
    assertEquals("n5", plan.moves().get(0).targetNode(), "the one that isn't slow");

    ClusterView all = scene.cluster().withSlow(scene.cluster().nodes().keySet());
    plan = plan(all, decision(file, SSD, DISK));
    assertEquals(0, plan.moves().size());
    assertTrue(
        plan.unplaced().get(0).reason().endsWith("with none to the 6 slow DataNodes"),
        plan.unplaced().get(0).reason());
  }

  @Test
  void sendsNothingToADeviceThatIsWornOut() throws NodeAttributesException {
    FileView file = scene.file("/a", 50, "n1-DISK", "n3-DISK", "n5-DISK");
    NodeAttributes two = NodeAttributes.parse("n? SSD tbw=2TB written=3TB\nn5 SSD written=1TB\n");
    Move move = plan(scene.cluster().withWear(two), decision(file, SSD, DISK)).moves().get(0);
    assertEquals("n5-SSD", move.targetStorage());

    NodeAttributes all = NodeAttributes.parse("* SSD tbw=2TB written=3TB\n");
    Plan plan = plan(scene.cluster().withWear(all), decision(file, SSD, DISK));
    assertEquals(0, plan.moves().size());
    assertTrue(
        plan.unplaced().get(0).reason().endsWith("with none to the 6 storages past their tbw"),
        plan.unplaced().get(0).reason());
  }

  @Test
  void movesNothingToOrFromAnExcludedDataNode() {
    FileView file = scene.file("/a", 50, "n1-DISK", "n3-DISK", "n5-DISK");
    ClusterView two = scene.cluster().without(List.of("n1", "n3"));
    Move move = plan(two, decision(file, SSD, DISK)).moves().get(0);
    assertEquals("n5", move.source().node());
    assertEquals("n5", move.targetNode());

    ClusterView sources = scene.cluster().without(List.of("n1", "n3", "n5"));
    Plan plan = plan(sources, decision(file, SSD, DISK));
    assertEquals(List.of(), plan.moves());
    assertTrue(
        plan.unplaced().get(0).reason().endsWith("on DISK are on excluded DataNodes (act.exclude)"),
        plan.unplaced().get(0).reason());
  }

  @Test
  void stopsAtItsBudgetAndGivesTheRoomBack() {
    Scene small = new Scene().nodes(1, Map.of(DISK, 1000L, SSD, 100L));
    FileView two =
        new FileView(
            "/two",
            80,
            1,
            0,
            List.of(
                small.file("/two", 40, "n1-DISK").blocks().get(0),
                small.file("/two", 40, "n1-DISK").blocks().get(0)));
    FileView one = small.file("/one", 90, "n1-DISK");
    List<Decision> decisions = List.of(decision(two, SSD, DISK), decision(one, SSD, DISK));
    ClusterView cluster = small.cluster();
    NumberLines lines = NumberLines.empty().update(cluster, Map.of());

    Plan byMoves = new Planner(new Budget(1, 1000, 0.95)).plan(1, decisions, cluster, lines);
    Plan byBytes = new Planner(new Budget(9, 79, 0.95)).plan(1, decisions, cluster, lines);

    // One block of /two, and /one has no room beside it; 40 bytes that were reserved for the other
    // block are free.
    assertEquals(List.of("/two"), paths(byMoves));
    assertEquals(
        "its 2 moves of 80 bytes are more than any plan makes: 1 of them now, the rest with later plans",
        byMoves.unplaced().get(0).reason());
    assertEquals(List.of("/two"), paths(byBytes));
    assertEquals(40, byBytes.bytes());
    Plan spent =
        new Planner(new Budget(2, 100, 0.95))
            .plan(1, List.of(decisions.get(1), decisions.get(0)), cluster, lines);
    assertEquals(List.of("/one"), paths(spent));
    assertEquals(1, spent.unplaced().size());
  }

  @Test
  void movesAFileThatNoPlanCouldMoveBlockByBlock() {
    Scene made = new Scene().nodes(3, Map.of(DISK, 10_000L, SSD, 1000L));
    List<FileView.Block> blocks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      blocks.add(made.file("/large", 10, "n1-DISK", "n2-DISK", "n3-DISK").blocks().get(0));
    }
    FileView file = new FileView("/large", 100, 3, 0, blocks);
    int plans = 0;
    for (; ; plans++) {
      ClusterView cluster = made.cluster();
      Plan plan =
          new Planner(new Budget(3, 1000, 0.95))
              .plan(
                  plans,
                  List.of(decision(file, SSD, DISK)),
                  cluster,
                  NumberLines.empty().update(cluster, Map.of()));
      if (plan.isEmpty()) {
        break;
      }
      assertEquals(Math.min(3, 10 - 3 * plans), plan.moves().size());
      file = Carried.out(file, plan.moves());
    }
    assertEquals(4, plans);
    file.blocks().forEach(block -> assertTrue(block.types().contains(SSD)));
  }

  @Test
  void writesToFlashNoMoreThanADayAllows() {
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      decisions.add(decision(scene.file("/f" + i, 10, "n1-DISK", "n3-DISK", "n5-DISK"), SSD, DISK));
    }
    FlashWrites writes = new FlashWrites(Map.of(SSD, 55L));
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");
    writes.written(SSD, 30, noon.minusSeconds(90_000));
    writes.written(SSD, 20, noon.minusSeconds(3600));
    writes.written(NVDIMM, 20, noon);

    Plan plan =
        new Planner(PLENTY)
            .plan(1, decisions, scene.cluster(), lines(), writes.wear(noon), ReadShares.fastest());

    assertEquals(30, plan.bytes());
    assertEquals(
        "SSD may not be written more today: 20 of 55 bytes are, and this plan's",
        plan.unplaced().get(0).reason());
    assertEquals(3, plan.unplaced().size());
    assertEquals(55, writes.wear(noon.plusSeconds(90_000)).get(SSD).leftBytes());
  }

  @Test
  void aFileLargerThanADaysWritesToFlashTakesSeveralDays() {
    Scene made = new Scene().nodes(3, Map.of(DISK, 10_000L, SSD, 1000L));
    List<FileView.Block> blocks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      blocks.add(made.file("/large", 10, "n1-DISK", "n2-DISK", "n3-DISK").blocks().get(0));
    }
    FileView file = new FileView("/large", 100, 3, 0, blocks);
    ClusterView cluster = made.cluster();

    Plan plan =
        new Planner(PLENTY)
            .plan(
                1,
                List.of(decision(file, SSD, DISK)),
                cluster,
                NumberLines.empty().update(cluster, Map.of()),
                Map.of(SSD, Wear.of(45, 0)),
                ReadShares.fastest());

    assertEquals(40, plan.bytes());
  }

  @Test
  void givesBackTheRoomOfAFileThatFoundNoPlaceForOneBlock() {
    Scene small = new Scene().nodes(1, Map.of(DISK, 1000L, SSD, 100L));
    FileView two =
        new FileView(
            "/two",
            120,
            1,
            0,
            List.of(
                small.file("/two", 60, "n1-DISK").blocks().get(0),
                small.file("/two", 60, "n1-DISK").blocks().get(0)));
    FileView one = small.file("/one", 90, "n1-DISK");
    ClusterView cluster = small.cluster();

    Plan plan =
        new Planner(PLENTY)
            .plan(
                1,
                List.of(decision(two, SSD, DISK), decision(one, SSD, DISK)),
                cluster,
                NumberLines.empty().update(cluster, Map.of()));

    assertEquals(List.of("/one"), paths(plan));
  }

  @Test
  void givesTheSamePlanForTheSameSnapshot() {
    List<Decision> decisions = new ArrayList<>();
    List<Decision> listedOtherwise = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      FileView file = scene.file("/f" + i, 9, "n1-DISK", "n3-DISK", "n6-DISK");
      decisions.add(decision(file, i % 2 == 0 ? SSD : DISK, i % 2 == 0 ? DISK : ARCHIVE));
      FileView.Block block = file.blocks().get(0);
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      Collections.reverse(replicas);
      FileView reversed =
          new FileView(
              file.path(),
              file.length(),
              3,
              0,
              List.of(new FileView.Block("BP-1", block.id(), 1, block.length(), replicas)));
      listedOtherwise.add(decision(reversed, i % 2 == 0 ? SSD : DISK, i % 2 == 0 ? DISK : ARCHIVE));
    }

    List<String> first = words(plan(PLENTY, decisions.toArray(Decision[]::new)));
    assertEquals(first, words(plan(PLENTY, decisions.toArray(Decision[]::new))));
    // The NameNode lists the replicas of a block in any order.
    assertEquals(first, words(plan(PLENTY, listedOtherwise.toArray(Decision[]::new))));
    assertTrue(first.size() >= 20, first.toString());
  }

  @Test
  void keepsTheInvariantsInWhateverCluster() {
    int moves = 0;
    for (long seed = SEED; seed < SEED + SCENES; seed++) {
      Random random = new Random(seed);
      Scene made = randomScene(random);
      List<Decision> decisions = randomDecisions(made, random);
      ClusterView cluster = made.cluster();
      double fill = 0.5 + random.nextInt(50) / 100.0;
      Budget budget = new Budget(1 + random.nextInt(40), 1 + random.nextInt(2000), fill);
      Plan plan =
          new Planner(budget)
              .plan(seed, decisions, cluster, NumberLines.empty().update(cluster, Map.of()));
      moves += plan.moves().size();
      assertTrue(plan.moves().size() <= budget.moves(), "seed " + seed);
      assertTrue(plan.bytes() <= budget.bytes(), "seed " + seed);
      Map<String, ClusterView.Storage> storages = new HashMap<>();
      cluster
          .nodes()
          .values()
          .forEach(node -> node.storages().forEach(s -> storages.put(s.id(), s)));
      Map<String, Long> arriving = new HashMap<>();
      for (Plan.FileMoves file : plan.files()) {
        carryOut(file, cluster, seed);
        for (Move move : file.moves()) {
          arriving.merge(move.targetStorage(), move.bytes(), Long::sum);
          assertEquals(move.targetType(), storages.get(move.targetStorage()).type());
          assertEquals(move.targetNode(), storages.get(move.targetStorage()).node());
        }
      }
      for (Map.Entry<String, Long> entry : arriving.entrySet()) {
        ClusterView.Storage storage = storages.get(entry.getKey());
        assertTrue(
            storage.used() + entry.getValue() <= fill * storage.capacity(),
            "seed " + seed + ": " + storage + " gets " + entry.getValue());
      }
      assertEquals(plan.moves().size(), plan.moves().stream().map(Move::id).distinct().count());
      plan.unplaced().forEach(left -> assertTrue(left.reason().length() > 10, left.toString()));
    }
    assertTrue(moves > SCENES, moves + " moves");
  }

  /** Makes the moves one by one, checking each block after each. */
  private static void carryOut(Plan.FileMoves file, ClusterView cluster, long seed) {
    FileView view = file.decision().hot().file();
    Target target = file.decision().target();
    for (FileView.Block block : view.blocks()) {
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      long racks = racks(replicas, cluster);
      for (Move move : file.moves()) {
        if (move.block().id() == block.id()) {
          assertTrue(replicas.remove(move.source()), "seed " + seed + ": no source for " + move);
          replicas.add(
              new FileView.Replica(move.targetNode(), move.targetStorage(), move.targetType()));
          assertEquals(
              replicas.size(),
              replicas.stream().map(FileView.Replica::node).distinct().count(),
              "seed " + seed + ": two replicas on a node after " + move);
          assertTrue(
              racks(replicas, cluster) >= racks, "seed " + seed + ": fewer racks after " + move);
        }
      }
      assertEquals(view.replication(), replicas.size(), "seed " + seed);
      boolean isLater = file.moves().stream().noneMatch(move -> move.block().id() == block.id());
      if (isLater && !target.shifts(block.types()).isEmpty()) {
        continue;
      }
      assertEquals(
          target.copies(),
          replicas.stream().map(FileView.Replica::type).sorted(Comparator.reverseOrder()).toList(),
          "seed " + seed);
    }
  }

  private static long racks(List<FileView.Replica> replicas, ClusterView cluster) {
    return replicas.stream()
        .map(replica -> cluster.nodes().get(replica.node()).rack())
        .distinct()
        .count();
  }

  private static Scene randomScene(Random random) {
    Scene made = new Scene();
    int kinds = 1 + random.nextInt(3);
    for (int i = 0; i < kinds; i++) {
      Map<StorageType, Long> capacity = new HashMap<>();
      capacity.put(DISK, 500L + random.nextInt(500));
      for (StorageType type : List.of(SSD, NVDIMM, ARCHIVE)) {
        if (random.nextInt(3) > 0) {
          capacity.put(type, 50L + random.nextInt(200));
        }
      }
      made.nodes(1 + random.nextInt(4), capacity);
    }
    return made;
  }

  private static List<Decision> randomDecisions(Scene made, Random random) {
    List<ClusterView.Node> nodes = new ArrayList<>(made.cluster().nodes().values());
    nodes.sort(Comparator.comparing(ClusterView.Node::uuid));
    List<Decision> decisions = new ArrayList<>();
    List<StorageType> types = List.of(ARCHIVE, DISK, SSD, NVDIMM);
    for (int i = 0; i < 30; i++) {
      int replication = 1 + random.nextInt(Math.min(3, nodes.size()));
      Collections.shuffle(nodes, random);
      List<FileView.Block> blocks = new ArrayList<>();
      for (int b = 1 + random.nextInt(2); b > 0; b--) {
        String[] storages = new String[replication];
        for (int r = 0; r < replication; r++) {
          List<ClusterView.Storage> of = nodes.get(r).storages();
          storages[r] = of.get(random.nextInt(of.size())).id();
        }
        blocks.add(made.file("/f" + i, 1 + random.nextInt(20), storages).blocks().get(0));
      }
      long length = blocks.stream().mapToLong(FileView.Block::length).sum();
      FileView file = new FileView("/f" + i, length, replication, 0, blocks);
      StorageType rest = types.get(random.nextInt(2));
      decisions.add(decision(file, types.get(random.nextInt(4)), rest));
    }
    return decisions;
  }

  private NumberLines lines() {
    return NumberLines.empty().update(scene.cluster(), Map.of());
  }

  private Plan plan(ClusterView cluster, Decision... decisions) {
    return new Planner(PLENTY).plan(1, List.of(decisions), cluster, lines());
  }

  private Plan plan(Budget budget, Decision... decisions) {
    return new Planner(budget).plan(1, List.of(decisions), scene.cluster(), lines());
  }

  private static Decision decision(FileView file, StorageType lead, StorageType rest) {
    List<StorageType> copies = new ArrayList<>(Collections.nCopies(file.replication(), rest));
    copies.set(0, lead);
    return new Decision(
        new HotFile(file, 1),
        DISK,
        new Target(copies, "ONE_SSD"),
        Decision.Cause.PROMOTED,
        "1.0 reads",
        new Gate.Benefit(2, 0, 1));
  }

  private static List<String> paths(Plan plan) {
    return plan.files().stream().map(file -> file.decision().hot().file().path()).toList();
  }

  private static List<String> words(Plan plan) {
    return plan.moves().stream()
        .map(m -> m.id() + " " + m.path() + " " + m.source() + " " + m.targetStorage())
        .toList();
  }
}
