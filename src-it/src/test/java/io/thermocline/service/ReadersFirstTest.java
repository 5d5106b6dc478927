// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ClusterWatch;
import io.thermocline.tiering.act.DataNodeReads;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.HdfsSurroundings;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.LocalJournalStore;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies on a cluster whose DataNodes become slow for those who read, and fast again. */
@Tag("cluster")
@Tag("alone")
class ReadersFirstTest {

  private static final int FILES = 24;
  private static final int COPIES = 4;

  /** So few that reads are fast by themselves, and enough that slow ones come soon. */
  private static final int READERS = 2;

  private static final String READ = "/read/one";
  private static final ActLimits LIMITS =
      new ActLimits(
          COPIES, 2, 2, Duration.ofMillis(10), Duration.ofMillis(200), Duration.ofMinutes(1));

  /** So slow that of all copies few were made when several looks, on a busy machine, have come. */
  private static final Pacing PACING =
      new Pacing(250 << 10, Map.of(), Double.POSITIVE_INFINITY, Duration.ofMinutes(10));

  /** Above what a busy machine makes of reads by itself, below what paced devices do. */
  private static final double FACTOR = 3;

  @TempDir Path temp;

  private HdfsSurroundings around;
  private Surroundings seen;
  private ClusterWatch watch;
  private ApplyMode service;
  private PlanExecutor executor;

  @Test
  void copiesWaitWhileReadsAreSlowAndGoOnAfterwards() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (ServedCluster cluster =
            ServedCluster.start(
                temp.resolve("cluster"),
                node -> List.of(StorageType.DISK, StorageType.SSD),
                4,
                Map.of());
        DirectedMoves mover = mover(cluster);
        LocalJournalStore store = LocalJournalStore.open(temp.resolve("journal"))) {
      for (int i = 0; i < FILES; i++) {
        cluster.write(file(i));
      }
      cluster.write(READ);
      watch(cluster, mover, store, threads);
      Plan plan = plan(mover);
      for (int i = 0; i < READERS; i++) {
        threads.submit(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                cluster.read(READ, 1);
              }
              return null;
            });
      }
      for (int i = 0; i < 9; i++) {
        look();
      }

      Future<?> moving =
          threads.submit(
              () -> {
                service.handle(plan);
                return null;
              });
      Eventually.holds("several copies", () -> service.throttle().begun() > 1);

      cluster.devices().pace();
      List<Throttle> looks = new ArrayList<>();
      for (int i = 0; i < 20 && !service.control().heldBy().contains("readers"); i++) {
        look();
        looks.add(service.throttle());
      }
      assertTrue(service.control().heldBy().contains("readers"), () -> "never held: " + looks);
      // How often it was cut depends on how many looks came while more than one copy ran.
      assertTrue(
          ranAloneBeforeTheLast(looks)
              || looks.stream()
                  .anyMatch(one -> one.allowed() <= COPIES / 2 && one.why().contains("at most ")),
          () -> "fewer before none: " + looks);
      String why = service.throttle().why();
      assertTrue(
          why.contains("times as long as without copies (act.throttle.foreground: 3.0)"), why);
      assertTrue(service.control().reason().contains(why), service.control().reason());
      Eventually.holds("no copy runs", () -> service.throttle().running() == 0);
      Throttle resting = service.throttle();
      assertTrue(!moving.isDone() && resting.begun() < moves(plan), resting::toString);
      look();
      assertEquals(resting.begun(), service.throttle().begun(), "none was begun meanwhile");

      cluster.devices().fullSpeed();
      for (int i = 0; i < 30 && !service.throttle().why().isEmpty(); i++) {
        look();
      }
      assertEquals("", service.throttle().why());
      assertEquals(COPIES, service.throttle().allowed());
      assertEquals(Set.of(), service.control().heldBy());
      moving.get(2, TimeUnit.MINUTES);
      for (int i = 0; i < FILES; i++) {
        String file = file(i);
        Eventually.holds(file + " on SSD", () -> cluster.has(file, 1, StorageType.SSD));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void watch(
      ServedCluster cluster, DirectedMoves mover, LocalJournalStore store, ExecutorService threads)
      throws IOException {
    DistributedFileSystem hdfs = cluster.superuser();
    OperationBudget budget = OperationBudget.unlimited();
    ServiceRuntime runtime =
        new ServiceRuntime(
            Clock.systemUTC(),
            System::nanoTime,
            wait -> TimeUnit.NANOSECONDS.sleep(wait.toNanos()),
            point -> {});
    service =
        new ApplyMode(
            new ApplyMode.Hands(
                mover,
                (machinery, policies) ->
                    executor = new PlanExecutor(mover, LIMITS, PACING, machinery, policies),
                null,
                threads),
            LIMITS,
            "pool",
            Journal.open(store),
            runtime);
    around =
        new HdfsSurroundings(
            hdfs.getClient(),
            () -> DataNodeStates.of(hdfs.getClient(), budget),
            Set.of(),
            List.of(),
            budget,
            new DataNodeReads(hdfs.getConf()),
            HdfsSurroundings.silentAfter(hdfs.getConf()));
    watch =
        new ClusterWatch(
            () -> seen,
            Windows.always(),
            new Surroundings.Bounds(Long.MAX_VALUE, Integer.MAX_VALUE, Double.MAX_VALUE, FACTOR),
            service.control(),
            executor,
            runtime.clock());
  }

  /** As soon as DataNodes say something new of reads: by time alone, looks might see nothing. */
  private void look() throws InterruptedException {
    Map<?, ?> told = seen == null ? Map.of() : seen.reads();
    Eventually.holds(
        "news of reads",
        () -> {
          seen = around.read();
          return !seen.reads().equals(told);
        });
    watch.look();
  }

  /** Whether no two copies ran at once between the last two looks. */
  private static boolean ranAloneBeforeTheLast(List<Throttle> looks) {
    if (looks.size() < 2) {
      return false;
    }
    Throttle before = looks.get(looks.size() - 2);
    Throttle last = looks.get(looks.size() - 1);
    return before.running() + last.begun() - before.begun() <= 1;
  }

  private static DirectedMoves mover(ServedCluster cluster) throws IOException {
    DistributedFileSystem hdfs = cluster.superuser();
    return new DirectedMoves(
        hdfs.getUri(),
        new org.apache.hadoop.fs.Path("/system/thermocline/mover.id"),
        hdfs.getConf());
  }

  private static String file(int number) {
    return "/moved/f" + number;
  }

  private static long moves(Plan plan) {
    return plan.files().stream().mapToLong(file -> file.moves().size()).sum();
  }

  /** One replica of each block, to the SSD of the DataNode that has none. */
  private Plan plan(DirectedMoves mover) throws Exception {
    Set<String> nodes = around.read().transfers().keySet();
    List<Plan.FileMoves> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      FileView file = mover.file(file(i)).orElseThrow();
      List<Move> moves = new ArrayList<>();
      for (FileView.Block block : file.blocks()) {
        String target =
            nodes.stream()
                .filter(node -> block.replicas().stream().noneMatch(one -> one.node().equals(node)))
                .findAny()
                .orElseThrow();
        FileView.Replica source = block.replicas().get((int) (block.id() % 3));
        moves.add(
            new Move(
                "1-" + i + "." + moves.size(),
                file.path(),
                block,
                source,
                target,
                "",
                StorageType.SSD));
      }
      Decision decision =
          new Decision(
              new HotFile(file, 1),
              StorageType.DISK,
              new Target(List.of(StorageType.SSD, StorageType.DISK, StorageType.DISK), "ONE_SSD"),
              Decision.Cause.PROMOTED,
              "1.0 reads",
              new Gate.Benefit(2, 0, 1));
      files.add(new Plan.FileMoves(decision, "ONE_SSD", moves));
    }
    return new Plan(1, files, List.of());
  }
}
