// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Storage types, cache and replication factors, decided together on random clusters. */
class ActionPropertiesTest {

  private static final long SEED = Long.getLong("test.seed", 0);
  private static final int SCENES = Boolean.getBoolean("test.short") ? 40 : 400;
  private static final int ROUNDS = 6;
  private static final int NODES = 7;
  private static final Gate GATE =
      new Gate(
          Duration.ofHours(1),
          1,
          ExpectedReads.steady(Duration.ofHours(1)),
          Map.of(
              StorageType.ARCHIVE, new TierSpeed(5, 5, 0.1),
              StorageType.DISK, new TierSpeed(10, 10, 0.1),
              StorageType.SSD, new TierSpeed(50, 40, 0)));

  @Test
  void memoryAndRoomAreKeptToAndNoActionUndoesAnother() {
    Map<Decision.Cause, Integer> causes = new EnumMap<>(Decision.Cause.class);
    for (long seed = SEED; seed < SEED + SCENES; seed++) {
      World world = new World(seed);
      List<Decision> decisions = world.decide();
      decisions.forEach(decision -> causes.merge(decision.cause(), 1, Integer::sum));
      world.carryOut(decisions);
      world.check();
      List<Decision> again = world.decide();
      assertEquals(List.of(), actions(again), "seed " + seed);
      // What comes out of memory may move only then.
      if (decisions.stream().noneMatch(d -> d.cause() == Decision.Cause.UNCACHED)) {
        assertEquals(List.of(), again, "seed " + seed);
      }
    }
    for (Decision.Cause cause : List.of(Decision.Cause.CACHED, Decision.Cause.MORE_COPIES)) {
      assertTrue(causes.getOrDefault(cause, 0) > SCENES / 10, causes::toString);
    }
    assertTrue(causes.getOrDefault(Decision.Cause.PROMOTED, 0) > SCENES, causes::toString);
  }

  @Test
  void nothingOscillatesWhileTheLoadStays() {
    for (long seed = SEED; seed < SEED + SCENES / 4; seed++) {
      World world = new World(seed);
      Map<String, Set<Boolean>> ways = new HashMap<>();
      for (int round = 0; round < ROUNDS; round++) {
        List<Decision> decisions = world.decide();
        for (Decision decision : actions(decisions)) {
          ways.computeIfAbsent(decision.hot().file().path(), first -> new HashSet<>())
              .add(decision.cause().isUp());
        }
        world.carryOut(decisions);
      }
      long seedNow = seed;
      ways.forEach((path, both) -> assertEquals(1, both.size(), "seed " + seedNow + ": " + path));
      assertEquals(List.of(), world.decide(), "seed " + seed);
    }
  }

  @Test
  void allComesDownAgainWhenItCools() {
    int down = 0;
    for (long seed = SEED; seed < SEED + SCENES / 4; seed++) {
      World world = new World(seed);
      world.carryOut(world.decide());
      down += world.cached.size() + world.raised.size();
      world.cool();
      world.carryOut(world.decide());
      assertEquals(Map.of(), world.cached, "seed " + seed);
      assertEquals(Map.of(), world.raised, "seed " + seed);
      world.files.forEach(
          hot ->
              assertEquals(
                  world.replicationBefore.get(hot.file().path()), hot.file().replication()));
    }
    assertTrue(down > SCENES / 4, down + " came down");
  }

  @Test
  void comesDownWhenItIsTurnedOff() {
    int down = 0;
    for (long seed = SEED; seed < SEED + SCENES / 8; seed++) {
      World world = new World(seed);
      world.carryOut(world.decide());
      down += world.cached.size() + world.raised.size();
      world.limits = ActionLimits.NONE;
      world.carryOut(world.decide());
      assertEquals(0, world.cached.size() + world.raised.size(), "seed " + seed);
    }
    assertTrue(down > 0);
  }

  @Test
  void theLoadChangesAndLimitsHoldAllTheTime() {
    for (long seed = SEED; seed < SEED + SCENES / 4; seed++) {
      World world = new World(seed);
      for (int round = 0; round < ROUNDS; round++) {
        world.carryOut(world.decide());
        world.check();
        world.reheat();
      }
    }
  }

  @Test
  void theSameDecisionsInWhateverOrderFilesAreListed() {
    for (long seed = SEED; seed < SEED + SCENES / 4; seed++) {
      World world = new World(seed);
      List<Decision> decisions = world.decide();
      Collections.shuffle(world.files, new Random(seed));
      assertEquals(decisions, world.decide(), "seed " + seed);
    }
  }

  /** By decisions that are kept for all files, or made for one: with memory, room, caps, holds, and readers of near copies. */
  @Test
  void explainsEachFileAsIfItAloneWereAskedFor() {
    Map<String, Integer> said = new HashMap<>();
    for (long seed = SEED; seed < SEED + SCENES / 2; seed++) {
      World world = new World(seed);
      if (seed % 2 == 0) {
        world.carryOut(world.decide());
        world.reheat();
      }
      TierDecider decider = world.decider(Promotion.ONE_OR_ALL);
      Situation without = world.situation();
      Cap cap = new Cap(new Cap.Scope.Below("/"), StorageType.SSD, 100, Cap.COUNTED);
      Situation situation =
          new Situation(
              without.cluster(),
              Map.of(StorageType.SSD, 100.0),
              seed % 3 == 0 ? List.of() : List.of(cap),
              path -> path.endsWith("3") ? Hold.still("pinned") : Hold.NONE,
              without.current(),
              seed % 4 == 0
                  ? ReadShares.fastest()
                  : new ReadShares(
                      ReadOrder.NEAREST,
                      new Readers(Map.of(), Map.of("/default-rack", 1.0), false),
                      Map.of()));
      Function<String, Explanation> kept = decider.explanations(world.files, situation);
      for (HotFile hot : world.files) {
        String path = hot.file().path();
        Explanation alone = decider.explain(path, world.files, situation);
        assertEquals(alone, kept.apply(path), "seed " + seed);
        assertEquals(alone.lines(), kept.apply(path).lines(), "seed " + seed);
        said.merge(alone.decision().isPresent() ? "goes" : "stays", 1, Integer::sum);
        alone.obstacles().values().forEach(why -> said.merge(kind(why), 1, Integer::sum));
        alone.details().forEach(why -> said.merge(kind(why), 1, Integer::sum));
      }
      assertEquals(decider.explain("/none", world.files, situation), kept.apply("/none"));
    }
    for (String kind :
        List.of(
            "goes", "stays", "no room below", "directory / may", "it is held", "action: cache")) {
      assertTrue(
          said.keySet().stream().anyMatch(each -> each.startsWith(kind)),
          () -> kind + " in " + said);
    }
  }

  private static String kind(String words) {
    return words.substring(0, Math.min(15, words.length()));
  }

  private static List<Decision> actions(List<Decision> decisions) {
    return decisions.stream().filter(decision -> decision.cause().isAction()).toList();
  }

  private static final class World {
    final List<HotFile> files = new ArrayList<>();
    final Map<String, CurrentActions.Cached> cached = new HashMap<>();
    final Map<String, CurrentActions.Raised> raised = new HashMap<>();
    final Map<String, Integer> replicationBefore = new HashMap<>();
    private final Random random;
    private final Map<StorageType, TierLimits> tiers = new EnumMap<>(StorageType.class);
    private final Map<StorageType, Long> capacity = new EnumMap<>(StorageType.class);
    private final Map<String, List<Long>> recent = new HashMap<>();
    private final long memory;
    private ActionLimits limits;
    private final double margin;
    private boolean raisedNow;

    World(long seed) {
      random = new Random(seed);
      margin = random.nextInt(3) * 0.1;
      limits =
          new ActionLimits(
              random.nextInt(4) == 0
                  ? null
                  : new ActionLimits.Cache(
                      Long.MAX_VALUE,
                      1 + random.nextInt(2),
                      random.nextInt(4),
                      new TierSpeed(200, 1, 0)),
              random.nextInt(4) == 0 ? null : new ActionLimits.Copies(4 + random.nextInt(5)));
      memory = random.nextInt(300);
      int count = 1 + random.nextInt(30);
      for (int i = 0; i < count; i++) {
        FileView file = file("/f" + i);
        files.add(new HotFile(file, 0));
        replicationBefore.put(file.path(), file.replication());
      }
      reheat();
      for (StorageType type : List.of(StorageType.ARCHIVE, StorageType.DISK, StorageType.SSD)) {
        double lower = 0.4 + random.nextInt(50) / 100.0;
        tiers.put(type, new TierLimits(lower, lower + random.nextInt(10) / 100.0, 1));
        capacity.put(type, 20 + (long) (used(type) * (1 + random.nextDouble() * 2)));
      }
      capacity.merge(StorageType.SSD, (long) random.nextInt(300), Long::sum);
    }

    private FileView file(String path) {
      boolean coded = random.nextInt(5) == 0;
      int replication = coded ? 1 : 1 + random.nextInt(3);
      List<FileView.Block> blocks = new ArrayList<>();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        List<FileView.Replica> replicas = new ArrayList<>();
        for (int r = 0; r < replication; r++) {
          replicas.add(new FileView.Replica("n" + r, "n" + r + "-DISK", StorageType.DISK));
        }
        blocks.add(
            new FileView.Block(
                "BP-1", path.hashCode() * 16L + i, 1, 1 + random.nextInt(50), replicas));
      }
      return new FileView(
          path,
          blocks.stream().mapToLong(FileView.Block::length).sum(),
          replication,
          0,
          blocks,
          "",
          coded ? new FileView.Coding(2, 1) : null);
    }

    /** Some data is read often, and some of that by many at once. */
    void reheat() {
      files.replaceAll(
          hot -> new HotFile(hot.file(), random.nextInt(2) * random.nextInt(4000) / 2.0));
      for (HotFile hot : files) {
        long apart = 1 + random.nextInt(20_000);
        recent.put(
            hot.file().path(),
            LongStream.range(0, 12).mapToObj(i -> 1_000_000_000 - i * apart).toList());
      }
    }

    void cool() {
      files.replaceAll(hot -> new HotFile(hot.file(), 0));
      recent.clear();
    }

    private long used(StorageType type) {
      return files.stream()
          .flatMap(hot -> hot.file().blocks().stream())
          .mapToLong(block -> block.length() * Collections.frequency(block.types(), type))
          .sum();
    }

    List<Decision> decide() {
      List<Decision> decisions = decider(Promotion.ONE_COPY).decide(files, situation());
      assertEquals(
          decisions.size(), decisions.stream().map(Decision::hot).distinct().count(), "once each");
      return decisions;
    }

    TierDecider decider(Promotion promotion) {
      return new TierDecider(
          new Tiering(tiers, margin, promotion, Written.BY_POLICY, GATE, limits));
    }

    Situation situation() {
      List<ClusterView.Storage> storages = new ArrayList<>();
      capacity.forEach(
          (type, bytes) ->
              storages.add(
                  new ClusterView.Storage("n-" + type, "n", type, bytes, bytes - used(type))));
      Map<String, ClusterView.Node> nodes = new HashMap<>();
      nodes.put("n", new ClusterView.Node("n", "n:1", "/r", storages));
      for (int i = 1; i < NODES; i++) {
        // Empty, so that it only counts as a node.
        ClusterView.Storage none =
            new ClusterView.Storage("n" + i + "-DISK", "n" + i, StorageType.DISK, 0, 0);
        nodes.put("n" + i, new ClusterView.Node("n" + i, "n" + i, "/r", List.of(none)));
      }
      ClusterView cluster = new ClusterView(nodes, 1);
      CurrentActions current =
          new CurrentActions(cached, raised, memory, path -> recent.getOrDefault(path, List.of()));
      return new Situation(cluster, Map.of(), List.of(), path -> Hold.NONE, current);
    }

    void carryOut(List<Decision> decisions) {
      raisedNow = false;
      for (Decision decision : decisions) {
        FileView file = decision.hot().file();
        Target target = decision.target();
        switch (decision.cause()) {
          case CACHED ->
              cached.put(
                  file.path(),
                  new CurrentActions.Cached(target.cached(), file.length() * target.cached()));
          case UNCACHED -> cached.remove(file.path());
          case MORE_COPIES -> {
            raisedNow = true;
            raised.put(
                file.path(), new CurrentActions.Raised(file.replication(), target.replication()));
            replace(decision.hot(), replicated(file, target.replication()));
          }
          case FEWER_COPIES -> {
            raised.remove(file.path());
            replace(decision.hot(), replicated(file, target.replication()));
          }
          default -> replace(decision.hot(), Moved.file(file, target));
        }
      }
    }

    private void replace(HotFile before, FileView after) {
      files.set(files.indexOf(before), new HotFile(after, before.heat()));
    }

    /** As the NameNode makes copies, on DISK, and takes them away. */
    private static FileView replicated(FileView file, int factor) {
      List<FileView.Block> blocks = new ArrayList<>();
      for (FileView.Block block : file.blocks()) {
        List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
        while (replicas.size() > factor) {
          replicas.remove(replicas.size() - 1);
        }
        for (int r = replicas.size(); r < factor; r++) {
          replicas.add(new FileView.Replica("n" + r, "n" + r + "-DISK", StorageType.DISK));
        }
        blocks.add(
            new FileView.Block(
                block.poolId(), block.id(), block.generation(), block.length(), replicas));
      }
      return new FileView(file.path(), file.length(), factor, 0, blocks, file.owner());
    }

    void check() {
      assertTrue(
          cached.values().stream().mapToLong(CurrentActions.Cached::bytes).sum() <= memory,
          () -> cached + " in " + memory);
      Set<String> both = new HashSet<>(cached.keySet());
      both.retainAll(raised.keySet());
      assertEquals(Set.of(), both);
      double share = (double) used(StorageType.DISK) / capacity.get(StorageType.DISK);
      if (raisedNow) {
        assertTrue(share <= tiers.get(StorageType.DISK).lowerWatermark(), share + " of DISK");
      }
      for (HotFile hot : files) {
        if (raised.containsKey(hot.file().path())) {
          assertTrue(hot.file().replication() <= Math.min(NODES, limits.copies().most()));
          assertEquals(raised.get(hot.file().path()).now(), hot.file().replication());
        }
        if (hot.file().isErasureCoded()) {
          assertTrue(
              !cached.containsKey(hot.file().path()) && !raised.containsKey(hot.file().path()));
        }
      }
    }
  }
}
