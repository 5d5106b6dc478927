// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.app.records.Recovery;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.JournalStore;
import io.thermocline.tiering.journal.LocalJournalStore;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service dies at random boundaries of its plans on a real HDFS: before, after and in the
 * middle of each journal write and each copy, before and after each call of the NameNode. Small
 * plans move files up and down; the next life goes on from the journal, and may die too, until
 * the plan is at its end.
 */
@Tag("cluster")
class KilledMovesTest {

  private static final int POINTS = Integer.getInteger("crash.random", 50);
  private static final long SEED = Long.getLong("crash.seed", Long.getLong("test.seed", 20261122));

  private static final int NODES = 4;
  private static final int FILES = 4;
  private static final int BLOCK_BYTES = 1 << 16;
  private static final int PROGRESS = 50;
  private static final Duration WITHIN = Duration.ofMinutes(1);
  private static final ActLimits LIMITS =
      new ActLimits(3, 2, 2, Duration.ofMillis(10), Duration.ofMillis(50), WITHIN);

  private static final ActLimits ONE_BY_ONE =
      new ActLimits(1, 1, 2, Duration.ofMillis(10), Duration.ofMillis(50), WITHIN);

  @TempDir static Path temp;

  private static MiniDFSCluster cluster;
  private static DistributedFileSystem hdfs;
  private static DirectedMoves mover;

  private final Map<String, byte[]> written = new TreeMap<>();
  private final List<Throwable> defects = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong leaptNanos = new AtomicLong();

  /** What DataNodes were asked for by lives that ended meanwhile. */
  private final Queue<Future<?>> leftBehind = new ConcurrentLinkedQueue<>();

  /** Copies that DataNodes made, of the plan that is tried. */
  private final Queue<Move> made = new ConcurrentLinkedQueue<>();

  /** What the NameNode did for the plan that is tried, in its order. */
  private static final Queue<String> AUDIT = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void start() throws IOException {
    Logger audit = Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
    audit.setLevel(Level.INFO);
    audit.addAppender(
        new AppenderSkeleton() {
          @Override
          protected void append(LoggingEvent event) {
            String line = event.getRenderedMessage();
            if (line.contains("StoragePolicy")) {
              AUDIT.add(Instant.ofEpochMilli(event.timeStamp) + " " + line.replace('\t', ' '));
            }
          }

          @Override
          public void close() {
            // Nothing is open.
          }

          @Override
          public boolean requiresLayout() {
            return false;
          }
        });
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.set(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "100ms");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    cluster =
        new MiniDFSCluster.Builder(conf, temp.resolve("cluster").toFile())
            .numDataNodes(NODES)
            .storageTypes(
                new org.apache.hadoop.fs.StorageType[] {
                  org.apache.hadoop.fs.StorageType.DISK, org.apache.hadoop.fs.StorageType.SSD
                })
            .build();
    cluster.waitActive();
    hdfs = cluster.getFileSystem();
    mover =
        new DirectedMoves(
            hdfs.getUri(),
            new org.apache.hadoop.fs.Path("/system/thermocline/mover.id"),
            hdfs.getConf());
  }

  @AfterAll
  static void stop() {
    mover.close();
    cluster.shutdown();
  }

  /** One plan, from where its files lie to where they should, over as many lives as it takes. */
  private final class Trial {
    private final Path directory;
    private final SplittableRandom random;
    private final ActLimits limits;
    private final Map<String, FileView> start = new TreeMap<>();
    private final Map<String, String> startPolicy = new HashMap<>();
    private final Set<String> up = new HashSet<>();

    Trial(int number, long seed, ActLimits limits) throws IOException {
      this.limits = limits;
      directory = temp.resolve("journal" + number);
      random = new SplittableRandom(seed);
      made.clear();
      AUDIT.clear();
      List<String> paths = new ArrayList<>(written.keySet());
      while (paths.size() > 2 && random.nextBoolean()) {
        paths.remove(random.nextInt(paths.size()));
      }
      for (String path : paths) {
        FileView file = mover.file(path).orElseThrow();
        start.put(path, file);
        startPolicy.put(path, mover.storagePolicy(path));
        if (!isUp(file.blocks().get(0))) {
          up.add(path);
        }
      }
      rememberPolicies();
    }

    /** Policies of the plans before are the service's own in this journal, too. */
    private void rememberPolicies() throws IOException {
      try (LocalJournalStore store = LocalJournalStore.open(directory)) {
        Journal journal = Journal.open(store);
        for (Map.Entry<String, String> set : startPolicy.entrySet()) {
          if (!set.getValue().isEmpty()) {
            String at = Instant.EPOCH.toString();
            journal.append(new JournalEntry.PolicySet(at, set.getKey(), set.getValue(), ""));
          }
        }
      }
    }

    private String policy(String path) {
      return up.contains(path) ? "ONE_SSD" : "HOT";
    }

    /** What HDFS shows when that is done: a policy that is inherited is none of the file's own. */
    private String policyAfter(String path) {
      return up.contains(path) ? "ONE_SSD" : "";
    }

    private boolean isMoved(FileView file, FileView.Block block) {
      return isUp(block) == up.contains(file.path());
    }

    /**
     * @return whether the plan was at its end before the life was
     */
    boolean live(KilledLife life) throws Exception {
      ExecutorService copiers = Executors.newFixedThreadPool(LIMITS.copies(), this::thread);
      LocalJournalStore store = LocalJournalStore.open(directory);
      try {
        HdfsCalls actions =
            life.guard(HdfsCalls.class, counting(), "copy", one -> leaveBehind((Move) one[0]));
        ServiceRuntime runtime =
            new ServiceRuntime(
                Clock.systemUTC(),
                () -> {
                  life.mustLive();
                  return System.nanoTime() + leaptNanos.get();
                },
                wait -> {
                  life.mustLive();
                  TimeUnit.NANOSECONDS.sleep(wait.toNanos());
                },
                life::step);
        Journal journal =
            Journal.open(
                life.guard(
                    JournalStore.class,
                    store,
                    "append",
                    lines -> {
                      byte[] all = (byte[]) lines[0];
                      store.append(Arrays.copyOf(all, all.length / 2));
                    }));
        ApplyMode service =
            new ApplyMode(
                new ApplyMode.Hands(
                    actions,
                    (machinery, policies) -> new PlanExecutor(actions, limits, machinery, policies),
                    null,
                    copiers),
                limits,
                "pool",
                journal,
                runtime);
        journal.append(
            new JournalEntry.Started(
                runtime.clock().instant().toString(), "APPLY", journal.epoch() + 1));
        Eventually.holds("the end of the plan", () -> isAtItsEnd(service, journal, actions));
        return true;
      } catch (KilledLife.Death e) {
        return false;
      } finally {
        life.end();
        copiers.shutdown();
        assertTrue(copiers.awaitTermination(2, TimeUnit.MINUTES), "threads of a life that ended");
        store.close();
      }
    }

    private boolean isAtItsEnd(ApplyMode service, Journal journal, HdfsCalls actions)
        throws IOException, InterruptedException {
      service.recovery().look();
      boolean isIdle = journal.open().isEmpty() && journal.unfinished().isEmpty();
      Plan plan = plan(journal, service.recovery(), actions);
      service.handle(plan);
      boolean isLeft =
          !journal.open().isEmpty()
              && journal.open().stream().allMatch(moved -> service.recovery().isOpen(moved.path()));
      if (plan.isEmpty() && isLeft && isSettled()) {
        // Nothing can come any more of what a life before asked for.
        leaptNanos.addAndGet(WITHIN.plusSeconds(1).toNanos());
      }
      return isIdle && plan.isEmpty();
    }

    /** Of the files that aren't where they should be, and that nothing is under way of. */
    private Plan plan(Journal journal, Recovery recovery, HdfsCalls actions) throws IOException {
      Set<String> open =
          journal.open().stream().map(JournalEntry.Moved::path).collect(Collectors.toSet());
      long number = journal.lastPlan() + 1;
      List<Plan.FileMoves> files = new ArrayList<>();
      for (FileView file : new TreeMap<>(actions.files(start.keySet())).values()) {
        if (open.contains(file.path())
            || recovery.isOpen(file.path())
            || file.blocks().stream().anyMatch(block -> block.replicas().size() != 2)) {
          continue;
        }
        List<Move> moves = new ArrayList<>();
        for (FileView.Block block : file.blocks()) {
          if (!isMoved(file, block)) {
            moves.add(move(number + "-" + files.size() + "." + moves.size(), file, block));
          }
        }
        if (!moves.isEmpty()) {
          files.add(new Plan.FileMoves(decision(file), policy(file.path()), moves));
        }
      }
      return new Plan(number, files, List.of());
    }

    /** To another type, on the same DataNode or on one that has no copy. */
    private Move move(String id, FileView file, FileView.Block block) {
      StorageType to = up.contains(file.path()) ? StorageType.SSD : StorageType.DISK;
      List<FileView.Replica> sources =
          block.replicas().stream().filter(replica -> replica.type() != to).toList();
      FileView.Replica source = sources.get(random.nextInt(sources.size()));
      List<String> targets =
          cluster.getDataNodes().stream()
              .map(node -> node.getDatanodeUuid())
              .filter(node -> block.replicas().stream().noneMatch(one -> one.node().equals(node)))
              .toList();
      String target =
          random.nextBoolean() ? source.node() : targets.get(random.nextInt(targets.size()));
      return new Move(id, file.path(), block, source, target, "", to);
    }

    private Decision decision(FileView file) {
      boolean isUp = up.contains(file.path());
      return new Decision(
          new HotFile(file, 1),
          isUp ? StorageType.DISK : StorageType.SSD,
          new Target(
              List.of(isUp ? StorageType.SSD : StorageType.DISK, StorageType.DISK),
              policy(file.path())),
          isUp ? Decision.Cause.PROMOTED : Decision.Cause.DEMOTED,
          "1.0 reads",
          new Gate.Benefit(2, 0, 1));
    }

    /** The DataNode has been asked, whatever becomes of who asked. */
    private void leaveBehind(Move move) {
      FutureTask<Void> asked =
          new FutureTask<>(
              () -> {
                counting().copy(move);
                return null;
              });
      leftBehind.add(asked);
      new Thread(asked, "left behind").start();
    }

    /** Whether all that DataNodes were asked for is done, and the NameNode shows it. */
    private boolean isSettled() throws IOException {
      if (!leftBehind.stream().allMatch(Future::isDone)) {
        return false;
      }
      for (FileView file : mover.files(start.keySet()).values()) {
        for (FileView.Block block : file.blocks()) {
          if (!replicas(block).equals(expected(file.path(), block.id()))) {
            return false;
          }
        }
      }
      return true;
    }

    /** Where the copies of a block are, after what DataNodes have made. */
    private Set<String> expected(String path, long block) {
      Set<String> places =
          replicas(
              start.get(path).blocks().stream()
                  .filter(one -> one.id() == block)
                  .findFirst()
                  .orElseThrow());
      for (Move move : made) {
        if (move.block().id() == block) {
          places.remove(move.source().node() + " " + move.source().type());
          places.add(move.targetNode() + " " + move.targetType());
        }
      }
      return places;
    }

    /** After each death: whatever was begun, the journal says so. */
    void checkRecords() throws IOException {
      Journal journal = Journal.read(directory);
      Map<String, List<JournalEntry.Moved>> moves = moves(journal);
      for (Move move : made) {
        assertTrue(moves.containsKey(move.id()), () -> "made and not recorded: " + move);
      }
      Set<String> spoken = new HashSet<>();
      journal.unfinished().forEach(planned -> spoken.add(planned.path()));
      spoken.addAll(recovered(journal));
      moves.values().stream()
          .map(states -> states.get(states.size() - 1))
          .filter(last -> !last.state().equals("VERIFIED"))
          .forEach(last -> spoken.add(last.path()));
      for (FileView file : mover.files(start.keySet()).values()) {
        String path = file.path();
        String policy = mover.storagePolicy(path);
        long moved = file.blocks().stream().filter(block -> isMoved(file, block)).count();
        boolean isAtStart = moved == 0 && policy.equals(startPolicy.get(path));
        boolean isAtGoal = moved == file.blocks().size() && policy.equals(policyAfter(path));
        assertTrue(
            isAtStart || isAtGoal || spoken.contains(path),
            () -> "half-way, and no record says so: " + file + " " + policy);
        assertTrue(
            policy.equals(startPolicy.get(path)) || journal.maySet(path, policy),
            () -> "set and not recorded: " + policy + " of " + path);
      }
    }

    /** At the end: HDFS and the journal say the same, and that is what was to be done, once. */
    void check() throws IOException {
      Journal journal = Journal.read(directory);
      assertEquals(List.of(), journal.open());
      assertEquals(List.of(), journal.unfinished());
      Map<Long, String> verified = new HashMap<>();
      Map<String, Object> unmade = new HashMap<>();
      moves(journal)
          .forEach(
              (id, states) -> {
                JournalEntry.Moved last = states.get(states.size() - 1);
                long ends = states.stream().filter(JournalEntry.Moved::isFinal).count();
                assertEquals(1, ends, states::toString);
                assertTrue(last.isFinal(), states::toString);
                if (last.state().equals("VERIFIED")) {
                  assertNull(verified.put(last.block(), id), () -> "moved twice: " + states);
                } else {
                  unmade.put(id, last);
                }
              });
      for (Move move : made) {
        assertNull(unmade.get(move.id()), () -> "made, and recorded as not: " + move);
        assertEquals(move.id(), verified.remove(move.block().id()), move::toString);
      }
      assertEquals(Map.of(), verified, "recorded and not made, or moved twice");
      for (String path : start.keySet()) {
        FileView now = mover.file(path).orElseThrow();
        for (FileView.Block block : now.blocks()) {
          assertEquals(expected(path, block.id()), replicas(block), path);
          assertTrue(isMoved(now, block), () -> "lost: " + now);
        }
        assertEquals(policyAfter(path), mover.storagePolicy(path), path);
        assertEquals(policyAfter(path), journal.lastSet(path).orElse(""), path);
        assertArrayEquals(written.get(path), read(path), path);
      }
    }

    private Thread thread(Runnable task) {
      Thread thread = new Thread(task, "copier");
      thread.setUncaughtExceptionHandler(
          (one, e) -> {
            if (!(e instanceof KilledLife.Death)) {
              defects.add(e);
            }
          });
      return thread;
    }
  }

  @Test
  void nothingIsLostHalfDoneOrDoneTwice() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < FILES; i++) {
      write("/killed/f" + i, random, 1 + i % 2);
    }
    System.out.println("crash.seed=" + SEED + " crash.random=" + POINTS);
    ExecutorService heart = Executors.newSingleThreadExecutor();
    heart.execute(this::dropSources);
    try {
      long begun = System.nanoTime();
      KilledLife whole = new KilledLife(Long.MAX_VALUE);
      Trial first = new Trial(0, random.nextLong(), LIMITS);
      assertTrue(first.live(whole));
      first.check();
      int deaths = 0;
      for (int number = 1; deaths < POINTS; number++) {
        int before = deaths;
        deaths += tried(number, random.nextLong(), whole.steps());
        if (deaths / PROGRESS > before / PROGRESS) {
          long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
          System.out.println(
              deaths
                  + " deaths in "
                  + number
                  + " plans, "
                  + seconds
                  + " s; of one plan "
                  + whole.steps()
                  + " boundaries");
        }
      }
    } finally {
      heart.shutdownNow();
    }
  }

  /**
   * The first life makes one copy of two, the next sees that and says no more, the third ends the
   * plan: none of them comes to the other copy, nor is any move open.
   */
  @Test
  void thatAFileIsHalfMovedIsRecordedBeforeThePlanEnds() throws Exception {
    String path = "/killed/half";
    write(path, new SplittableRandom(SEED), 2);
    ExecutorService heart = Executors.newSingleThreadExecutor();
    heart.execute(this::dropSources);
    try {
      Trial trial = new Trial(-1, SEED, ONE_BY_ONE);
      assertFalse(trial.live(new KilledLife("COPYING.unrecorded", 2)));
      assertFalse(trial.live(new KilledLife("VERIFIED.recorded", 1)));
      assertFalse(trial.live(new KilledLife("planEnded.recorded", 1)));
      try (Journal journal = Journal.read(trial.directory)) {
        assertEquals(List.of(), journal.open());
        assertEquals(List.of(), journal.unfinished());
        assertEquals(Set.of(path), recovered(journal));
      }
      trial.checkRecords();
      assertTrue(trial.live(new KilledLife(Long.MAX_VALUE)));
      trial.check();
    } finally {
      heart.shutdownNow();
    }
  }

  /**
   * @return how often the service died
   */
  private int tried(int number, long seed, long steps) throws Exception {
    Trial trial = new Trial(number, seed, LIMITS);
    SplittableRandom points = new SplittableRandom(seed);
    int most = 1 + points.nextInt(4);
    List<Long> at = new ArrayList<>();
    try {
      boolean isDone = false;
      while (!isDone && at.size() < most) {
        long point = 1 + points.nextLong(steps);
        isDone = trial.live(new KilledLife(point));
        if (!isDone) {
          at.add(point);
          trial.checkRecords();
        }
      }
      if (!isDone) {
        assertTrue(trial.live(new KilledLife(Long.MAX_VALUE)));
      }
      trial.check();
      assertEquals(List.of(), defects);
    } catch (Exception | AssertionError e) {
      throw new AssertionError(
          "plan "
              + number
              + " of crash.seed="
              + SEED
              + ", died at "
              + at
              + ": "
              + e.getMessage()
              + "\n"
              + Files.readString(trial.directory.resolve("journal.jsonl"))
              + String.join("\n", AUDIT),
          e);
    }
    return at.size();
  }

  /** As the NameNode does each second by itself. */
  private void dropSources() {
    while (!Thread.currentThread().isInterrupted()) {
      BlockManagerTestUtil.computeInvalidationWork(cluster.getNamesystem().getBlockManager());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private HdfsCalls counting() {
    return new MoveOutcomesTest.Wrapped(mover) {
      @Override
      public void copy(Move move) throws IOException {
        super.copy(move);
        made.add(move);
      }
    };
  }

  private void write(String path, SplittableRandom random, int blocks) throws IOException {
    byte[] bytes = new byte[(blocks - 1) * BLOCK_BYTES + 1 + random.nextInt(BLOCK_BYTES)];
    random.nextBytes(bytes);
    try (OutputStream out =
        hdfs.create(new org.apache.hadoop.fs.Path(path), true, 4096, (short) 2, BLOCK_BYTES)) {
      out.write(bytes);
    }
    written.put(path, bytes);
    Eventually.holds(
        "all replicas of " + path + " reported",
        () ->
            mover.file(path).orElseThrow().blocks().stream()
                .allMatch(block -> block.replicas().size() == 2));
  }

  private static byte[] read(String path) throws IOException {
    try (InputStream in = hdfs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  private static boolean isUp(FileView.Block block) {
    return block.types().contains(StorageType.SSD);
  }

  private static Set<String> replicas(FileView.Block block) {
    Set<String> places = new HashSet<>();
    block.replicas().forEach(replica -> places.add(replica.node() + " " + replica.type()));
    return places;
  }

  /** Files that were found after a death, and that nothing has been planned for since. */
  private static Set<String> recovered(Journal journal) throws IOException {
    Set<String> paths = new HashSet<>();
    journal.history(
        entry -> {
          if (entry instanceof JournalEntry.Recovered found) {
            paths.add(found.path());
          } else if (entry instanceof JournalEntry.Planned planned) {
            paths.remove(planned.path());
          }
        });
    return paths;
  }

  /** What the journal has of each move, in order. */
  private static Map<String, List<JournalEntry.Moved>> moves(Journal journal) throws IOException {
    Map<String, List<JournalEntry.Moved>> moves = new TreeMap<>();
    journal.history(
        entry -> {
          if (entry instanceof JournalEntry.Moved moved) {
            moves.computeIfAbsent(moved.move(), first -> new ArrayList<>()).add(moved);
          }
        });
    return moves;
  }
}
