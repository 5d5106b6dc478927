// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.Wear;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.ActionLimits;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.CurrentActions;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.ExpectedReads;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.LearnedThresholds;
import io.thermocline.tiering.decide.MoveHistory;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.Survey;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.decide.Written;
import io.thermocline.tiering.decide.admission.AdmissionEstimate;
import io.thermocline.tiering.decide.admission.ForecastScore;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** A cluster, its files and their heat, and all that decisions keep to. */
final class RandomWorld {

  private static final Duration HALF_LIFE = Duration.ofHours(1);
  private static final int CANDIDATES = 8;
  private static final List<StorageType> TYPES =
      List.of(StorageType.ARCHIVE, StorageType.DISK, StorageType.SSD, StorageType.NVDIMM);

  final List<HotFile> files = new ArrayList<>();
  final Stability stability;
  Instant now = Instant.parse("2026-03-01T00:00:00Z");
  private final long seed;
  private final Random random;
  private final Map<String, ClusterView.Node> nodes = new TreeMap<>();
  private final Map<String, Long> remaining = new HashMap<>();
  private final Map<StorageType, TierLimits> limits = new EnumMap<>(StorageType.class);
  private final MoveHistory history;
  private final List<Cap> caps = new ArrayList<>();
  private final TierDecider decider;
  private final boolean learns;
  final boolean surveys;
  private final boolean forecasts;
  private final Planner planner;
  private final double fill;
  private final Budget budget;
  private final Map<String, CurrentActions.Cached> cached = new HashMap<>();
  private final Map<String, CurrentActions.Raised> raised = new HashMap<>();
  private final long memory;
  private final FlashWrites writes;
  private final ReadShares reads;
  private LearnedThresholds thresholds = LearnedThresholds.none();
  private NumberLines lines = NumberLines.empty();

  RandomWorld(long seed) {
    this(seed, ReadOrder.values()[new Random(~seed).nextInt(3)]);
  }

  RandomWorld(long seed, ReadOrder order) {
    this.seed = seed;
    this.random = new Random(seed);
    Scene scene = new Scene();
    int kinds = 1 + random.nextInt(3);
    for (int i = 0; i < kinds; i++) {
      Map<StorageType, Long> capacity = new EnumMap<>(StorageType.class);
      capacity.put(StorageType.DISK, 2000L + random.nextInt(2000));
      capacity.put(StorageType.SSD, 100L + random.nextInt(300));
      if (random.nextBoolean()) {
        capacity.put(StorageType.NVDIMM, 50L + random.nextInt(100));
      }
      if (random.nextBoolean()) {
        capacity.put(StorageType.ARCHIVE, 500L + random.nextInt(3000));
      }
      scene.nodes(2 + random.nextInt(3), capacity);
    }
    for (int i = 0; i < 60; i++) {
      files.add(new HotFile(RandomFiles.file(scene, random, i), 0));
    }
    ClusterView cluster = scene.cluster();
    nodes.putAll(cluster.nodes());
    nodes
        .values()
        .forEach(node -> node.storages().forEach(s -> remaining.put(s.id(), s.remaining())));
    for (StorageType type : TYPES) {
      double lower = 0.4 + random.nextInt(30) / 100.0;
      limits.put(
          type, new TierLimits(lower, lower + random.nextInt(20) / 100.0, random.nextInt(3)));
    }
    stability =
        new Stability(
            Duration.ofMinutes(random.nextInt(30)), 1 + random.nextInt(3), Duration.ofHours(4));
    history = new MoveHistory(stability);
    if (random.nextBoolean()) {
      caps.add(new Cap(new Cap.Scope.Owner("alice"), StorageType.SSD, 200, Cap.COUNTED));
      caps.add(new Cap(new Cap.Scope.Below("/t1"), StorageType.SSD, 150, Cap.COUNTED));
    }
    learns = random.nextBoolean();
    surveys = random.nextInt(3) == 0;
    forecasts = random.nextBoolean();
    decider =
        new TierDecider(
            new Tiering(
                limits,
                random.nextInt(3) * 0.1,
                promotion(random.nextBoolean()),
                random.nextBoolean() ? Written.BY_POLICY : Written.SPREAD,
                random.nextBoolean() ? Gate.open() : gate(),
                random.nextBoolean() ? ActionLimits.NONE : actions()));
    memory = random.nextInt(200);
    fill = 0.8 + random.nextInt(20) / 100.0;
    budget = new Budget(3 + random.nextInt(60), 200 + random.nextInt(2000), fill);
    planner = new Planner(budget);
    writes = new FlashWrites(random.nextInt(3) == 0 ? Map.of(StorageType.SSD, 500L) : Map.of());
    reads = reads(order, new Random(~seed));
  }

  /** Readers in one rack, or in some. */
  private ReadShares reads(ReadOrder order, Random random) {
    Map<String, String> racks = new HashMap<>();
    nodes.forEach((id, node) -> racks.put(id, node.rack()));
    List<String> names = racks.values().stream().distinct().sorted().toList();
    Map<String, Double> readers = new HashMap<>();
    int parts = 1 + random.nextInt(4);
    for (int i = 0; i < parts; i++) {
      readers.merge(names.get(random.nextInt(names.size())), 1.0 / parts, Double::sum);
    }
    return new ReadShares(order, new Readers(Map.of(), readers, false), racks);
  }

  private Promotion promotion(boolean isOneCopy) {
    return !isOneCopy
        ? Promotion.GRADUAL
        : seed % 2 == 0 ? Promotion.ONE_COPY : Promotion.ONE_OR_ALL;
  }

  private static Gate gate() {
    return new Gate(
        Duration.ofHours(1),
        1,
        ExpectedReads.learned(HALF_LIFE),
        Map.of(
            StorageType.ARCHIVE, new TierSpeed(5, 5, 0.1),
            StorageType.DISK, new TierSpeed(10, 10, 0.1),
            StorageType.SSD, new TierSpeed(50, 40, 0),
            StorageType.NVDIMM, new TierSpeed(200, 200, 0)));
  }

  private ActionLimits actions() {
    return new ActionLimits(
        new ActionLimits.Cache(
            Long.MAX_VALUE, 1 + random.nextInt(2), random.nextInt(5), new TierSpeed(400, 1, 0)),
        new ActionLimits.Copies(3 + random.nextInt(4)));
  }

  /** Half an hour, in which some data gets hot and other data cold. */
  void passTime() {
    now = now.plus(Duration.ofMinutes(30));
    // On the whole what was learned does better, and at times it doesn't.
    boolean isBetter = random.nextInt(4) > 0;
    ForecastScore score =
        new ForecastScore(0.9, 0.8, isBetter ? 100 : 80, isBetter ? 80 : 100, isBetter);
    files.replaceAll(
        hot -> {
          double heat = random.nextInt(3) == 0 ? random.nextInt(60) / 2.0 : hot.heat() / 2;
          HotFile warmed = new HotFile(hot.file(), heat);
          return forecasts ? warmed.with(estimate(isBetter, heat), score, 1, HALF_LIFE) : warmed;
        });
  }

  /** Of what is read a lot more often than not, at any price. */
  private AdmissionEstimate estimate(boolean isBetter, double heat) {
    if (heat == 0 || random.nextInt(10) == 0) {
      return new AdmissionEstimate(
          AdmissionEstimate.Basis.NONE, 0, 0, 0, 0, Double.POSITIVE_INFINITY);
    }
    return new AdmissionEstimate(
        isBetter ? AdmissionEstimate.Basis.LEARNED : AdmissionEstimate.Basis.THRESHOLD,
        1 + (int) heat,
        heat * random.nextDouble() / 10_000,
        random.nextDouble(),
        random.nextDouble(),
        random.nextInt(3) * 0.4);
  }

  /** What decisions are made of: all files, or what a pass over them kept. */
  private List<HotFile> seen(Survey<HotFile> survey) {
    if (!surveys) {
      return files;
    }
    for (HotFile hot : files) {
      survey.add(new Passed(hot), hot.heat(), hot.rank() * hot.file().length());
    }
    return survey.candidates(type -> true).stream().distinct().toList();
  }

  private record Passed(HotFile kept) implements Survey.Passing<HotFile> {
    @Override
    public long key() {
      return PathKey.of(1, kept.file().path());
    }

    @Override
    public long length() {
      return kept.file().length();
    }

    @Override
    public StorageType lead() {
      return Survey.lead(kept.file(), "HOT");
    }
  }

  private static boolean isPinned(String path) {
    return path.endsWith("7");
  }

  ClusterView cluster() {
    Map<String, ClusterView.Node> shown = new HashMap<>();
    nodes.forEach(
        (id, node) ->
            shown.put(
                id,
                new ClusterView.Node(
                    id,
                    node.name(),
                    node.rack(),
                    node.storages().stream()
                        .map(
                            s ->
                                new ClusterView.Storage(
                                    s.id(), id, s.type(), s.capacity(), remaining.get(s.id())))
                        .toList())));
    return new ClusterView(shown, 1);
  }

  Plan plan() {
    ClusterView cluster = cluster();
    lines = lines.update(cluster, Map.of());
    Survey<HotFile> survey = new Survey<>(CANDIDATES);
    List<HotFile> seen = seen(survey);
    if (learns) {
      thresholds =
          thresholds.next(
              surveys ? survey.distribution() : LearnedThresholds.distribution(files),
              LearnedThresholds.room(LearnedThresholds.bytes(files), cluster, limits));
    }
    Situation situation =
        new Situation(
            cluster,
            thresholds.heats(),
            caps,
            path -> isPinned(path) ? Hold.still("pinned") : history.hold(path, now),
            new CurrentActions(cached, raised, memory, this::recent),
            reads);
    List<Decision> decisions = decider.decide(seen, situation);
    Map<StorageType, Wear> wear = writes.wear(now);
    return planner.plan(1, decisions, cluster, lines, wear, reads);
  }

  /** Some files are read by crowds, in every other hour. */
  private List<Long> recent(String path) {
    boolean isCrowded = "349".indexOf(path.charAt(path.length() - 1)) >= 0;
    boolean isTime = Duration.between(Instant.EPOCH, now).toHours() % 2 == 0;
    // Within the time that a block takes to be read, and again later.
    long apart = isCrowded && isTime ? 400 : 100_000;
    return LongStream.range(0, 12).mapToObj(i -> 1_000_000_000 - i * apart).toList();
  }

  /** All that a plan asks for, whatever the action. */
  private void checkBudget(Plan plan) {
    int copies = plan.moves().size();
    for (ActionChange action : plan.actions()) {
      copies += action.copies();
    }
    assertTrue(
        copies <= budget.moves() && plan.bytes() <= budget.bytes(),
        "seed " + seed + ": " + copies + " copies, " + plan.bytes() + " bytes of " + budget);
  }

  /** No node takes an internal block while it holds, or held before the plan, another of the group. */
  private void checkGroups(Plan.FileMoves file) {
    FileView planned = file.decision().hot().file();
    if (!planned.isErasureCoded()) {
      return;
    }
    Map<Long, Set<String>> touched = new HashMap<>();
    for (FileView.Block block : planned.blocks()) {
      block
          .replicas()
          .forEach(
              replica ->
                  touched
                      .computeIfAbsent(block.group(), first -> new HashSet<>())
                      .add(replica.node()));
    }
    for (Move move : file.moves()) {
      assertTrue(
          move.source().node().equals(move.targetNode())
              || touched.get(move.block().group()).add(move.targetNode()),
          "seed " + seed + ": " + move);
      assertTrue(move.targetType() != StorageType.NVDIMM, move::toString);
    }
    assertTrue(List.of("HOT", "COLD", "ALL_SSD").contains(file.storagePolicy()));
  }

  private void take(ActionChange action) {
    String path = action.path();
    FileView file = action.file();
    history.moved(path, action.decision().cause(), now);
    switch (action.decision().cause()) {
      case CACHED ->
          cached.put(
              path, new CurrentActions.Cached(action.decision().target().cached(), action.bytes()));
      case UNCACHED -> cached.remove(path);
      case MORE_COPIES -> {
        int factor = action.decision().target().replication();
        raised.put(path, new CurrentActions.Raised(file.replication(), factor));
        replicate(file, factor);
      }
      case FEWER_COPIES -> {
        assertEquals(raised.remove(path).before(), action.decision().target().replication());
        replicate(file, action.decision().target().replication());
      }
      default -> throw new AssertionError(action);
    }
    assertTrue(
        cached.values().stream().mapToLong(CurrentActions.Cached::bytes).sum() <= memory,
        "seed " + seed + ": " + cached);
  }

  /** As the NameNode does: onto the emptiest disks, away from the last ones. */
  private void replicate(FileView file, int factor) {
    List<FileView.Block> blocks = new ArrayList<>();
    for (FileView.Block block : file.blocks()) {
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      while (replicas.size() > factor) {
        FileView.Replica gone = replicas.remove(replicas.size() - 1);
        remaining.merge(gone.storageId(), block.length(), Long::sum);
      }
      nodes.values().stream()
          .filter(node -> replicas.stream().noneMatch(r -> r.node().equals(node.uuid())))
          .map(node -> node.storages(StorageType.DISK).get(0))
          .sorted(
              Comparator.comparing((ClusterView.Storage s) -> -remaining.get(s.id()))
                  .thenComparing(ClusterView.Storage::id))
          .limit(Math.max(0, factor - replicas.size()))
          .toList()
          .forEach(
              storage -> {
                replicas.add(new FileView.Replica(storage.node(), storage.id(), StorageType.DISK));
                long left = remaining.merge(storage.id(), -block.length(), Long::sum);
                assertTrue(left >= 0, "seed " + seed + ": " + storage);
              });
      assertEquals(factor, replicas.size(), "seed " + seed + ": " + file.path());
      blocks.add(
          new FileView.Block(
              block.poolId(), block.id(), block.generation(), block.length(), replicas));
    }
    FileView after = new FileView(file.path(), file.length(), factor, 0, blocks, file.owner());
    files.replaceAll(
        hot -> hot.file().path().equals(file.path()) ? new HotFile(after, hot.heat()) : hot);
  }

  /** Move by move: the copy arrives, and only then the source goes. */
  void carryOutCheckingRoom(Plan plan) {
    Map<String, Long> capacity = new HashMap<>();
    nodes
        .values()
        .forEach(node -> node.storages().forEach(s -> capacity.put(s.id(), s.capacity())));
    List<Move> copied = new ArrayList<>();
    for (Plan.FileMoves file : plan.files()) {
      assertTrue(!isPinned(file.path()), "seed " + seed + ": " + file.path());
      checkGroups(file);
      history.moved(file.path(), file.decision().cause(), now);
      for (Move move : file.moves()) {
        long left = remaining.merge(move.targetStorage(), -move.bytes(), Long::sum);
        double used = capacity.get(move.targetStorage()) - left;
        assertTrue(
            left >= 0 && used <= fill * capacity.get(move.targetStorage()),
            "seed " + seed + ": " + move + " leaves " + left);
        writes.written(move.targetType(), move.bytes(), now);
        copied.add(move);
      }
    }
    // The sources at the very end, as if the NameNode took all its time.
    copied.forEach(move -> remaining.merge(move.source().storageId(), move.bytes(), Long::sum));
    files.replaceAll(
        hot -> new HotFile(Carried.out(hot.file(), plan.moves()), hot.heat(), hot.forecast()));
    checkBudget(plan);
    plan.actions().forEach(this::take);
  }
}
