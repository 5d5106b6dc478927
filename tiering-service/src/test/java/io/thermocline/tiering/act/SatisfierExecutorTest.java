// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SatisfierExecutorTest {

  private static final ActLimits LIMITS =
      new ActLimits(2, 1, 3, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(60));

  private final Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 100L));
  private final Satisfier hdfs = new Satisfier();
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> changes = new ArrayList<>();
  private final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());

  /** What was recorded when HDFS was asked for something first. */
  private List<String> beforeFirstCall;

  private int unrecorded;
  private Runnable duringPause = () -> {};

  @Test
  void setsThePolicyAsksAndLooksUntilTheTypesAreRight() throws InterruptedException {
    execute(promotion("/a", SSD));

    assertEquals(List.of("/a.0 COPYING", "/a.0 VERIFIED"), changes);
    assertEquals(List.of("policy /a ONE_SSD", "satisfy /a"), hdfs.calls);
  }

  @Test
  void asksAgainWhatIsForgottenAndGivesUpInTheEnd() throws InterruptedException {
    hdfs.forgets = 2;
    execute(promotion("/a", SSD));
    assertEquals(List.of("/a.0 COPYING", "/a.0 VERIFIED"), changes);
    assertEquals(3, hdfs.calls.stream().filter("satisfy /a"::equals).count());

    hdfs.forgets = 3;
    execute(promotion("/b", SSD));
    assertEquals(
        "/b.0 FAILED the satisfier, asked 3 times, has not moved it within 60 s each: does one"
            + " run?",
        changes.get(3));
  }

  @Test
  void waitsWhereItsQueueIsFull() throws InterruptedException {
    hdfs.refusals.add(new BusySatisfierException(new IOException("queue limit: 1 exceeded")));
    execute(promotion("/a", SSD));
    assertEquals(List.of("/a.0 COPYING", "/a.0 VERIFIED"), changes);
  }

  @Test
  void asksForNoMoreAtOnceThanCopiesMayRun() throws InterruptedException {
    List<Plan.FileMoves> files = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      files.add(promotion("/f" + i, SSD));
    }
    execute(files.toArray(Plan.FileMoves[]::new));
    assertEquals(10, changes.stream().filter(change -> change.endsWith("VERIFIED")).count());
    assertEquals(2, hdfs.mostAsked);
  }

  @Test
  void leavesAloneWhatNoPolicyHas() throws InterruptedException {
    execute(promotion("/a", NVDIMM));
    assertEquals(1, changes.size());
    assertTrue(
        changes.get(0).startsWith("/a.0 OBSOLETE the satisfier goes by the storage policy"),
        changes::toString);
    assertEquals(List.of(), hdfs.calls);
  }

  @Test
  void endsWhereNoneIsConfigured() throws InterruptedException {
    hdfs.refusals.add(new IOException("disabled by admin"));
    execute(promotion("/a", SSD));
    assertEquals(
        List.of("/a.0 COPYING", "/a.0 FAILED java.io.IOException: disabled by admin"), changes);
  }

  @Test
  void beginsNothingOnceStopped() throws InterruptedException {
    control.end(ExecutionControl.Stop.FINISH);
    execute(promotion("/a", SSD));
    assertEquals(List.of("/a.0 CANCELLED the service is stopping"), changes);
  }

  @Test
  void asksForNothingThatCantBeRecorded() throws InterruptedException {
    unrecorded = 2;
    execute(promotion("/a", SSD));
    assertEquals(List.of("/a.0 COPYING", "/a.0 VERIFIED"), changes);
    assertEquals(List.of("policy /a ONE_SSD", "satisfy /a"), hdfs.calls);
    assertEquals(List.of("/a.0 COPYING"), beforeFirstCall);
  }

  @Test
  void endsWhatWaitsForItsQueueWhenStopped() throws InterruptedException {
    hdfs.refusals.add(new BusySatisfierException(new IOException("queue limit: 1 exceeded")));
    duringPause = () -> control.end(ExecutionControl.Stop.FINISH);
    execute(promotion("/a", SSD), promotion("/b", SSD));
    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 FAILED the service is stopping",
            "/b.0 CANCELLED the service is stopping"),
        changes);
  }

  @Test
  void leavesAloneWhatSomebodyHasSetAPolicyOnSinceThePlan() throws InterruptedException {
    Plan.FileMoves planned = promotion("/a", SSD);
    FileView file = hdfs.files.get("/a");
    hdfs.files.put(
        "/a",
        new FileView(
            file.path(), file.length(), file.replication(), 2, file.blocks(), file.owner()));
    execute(planned);
    assertEquals(List.of("/a.0 OBSOLETE somebody set its storage policy since the plan"), changes);
    assertEquals(List.of(), hdfs.calls);
  }

  private void execute(Plan.FileMoves... files) throws InterruptedException {
    new SatisfierExecutor(
            hdfs,
            LIMITS,
            new PlanExecutor.Machinery(null, nanos::get, this::pause, control),
            (path, policy) -> {})
        .execute(
            new Plan(1, List.of(files), List.of()),
            (move, state, detail) -> {
              if (state == MoveState.COPYING && unrecorded-- > 0) {
                throw new UncheckedIOException(new IOException("the journal's device is full"));
              }
              changes.add(move.id() + " " + state + (detail.isEmpty() ? "" : " " + detail));
            });
  }

  private void pause(Duration duration) {
    duringPause.run();
    nanos.addAndGet(duration.toNanos());
    hdfs.work();
  }

  private Plan.FileMoves promotion(String path, StorageType lead) {
    FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.files.put(path, file);
    FileView.Block block = file.blocks().get(0);
    Decision decision =
        new Decision(
            new HotFile(file, 1),
            DISK,
            new Target(List.of(lead, DISK, DISK), "ONE_SSD"),
            Decision.Cause.PROMOTED,
            "1.0 reads",
            new Gate.Benefit(2, 0, 1));
    Move move = new Move(path + ".0", path, block, block.replicas().get(0), "n1", "n1-x", lead);
    return new Plan.FileMoves(decision, "ONE_SSD", List.of(move));
  }

  /** Moves what it was asked for with the next tick, unless it forgets. */
  private final class Satisfier implements SatisfierCalls {
    final List<String> calls = new ArrayList<>();
    final Map<String, FileView> files = new HashMap<>();
    final Deque<IOException> refusals = new ArrayDeque<>();
    int forgets;
    int mostAsked;
    private final List<String> asked = new ArrayList<>();

    void work() {
      for (String path : asked) {
        files.computeIfPresent(path, (same, file) -> moved(file));
      }
      asked.clear();
    }

    private FileView moved(FileView file) {
      FileView.Block block = file.blocks().get(0);
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      replicas.set(2, new FileView.Replica("n6", "n6-SSD", SSD));
      return new FileView(
          file.path(),
          file.length(),
          file.replication(),
          file.storagePolicy(),
          List.of(
              new FileView.Block(
                  block.poolId(), block.id(), block.generation(), block.length(), replicas)));
    }

    @Override
    public String storagePolicy(String path) {
      return "COLD";
    }

    @Override
    public void setStoragePolicy(String path, String policy) {
      if (calls.isEmpty()) {
        beforeFirstCall = List.copyOf(changes);
      }
      calls.add("policy " + path + " " + policy);
    }

    @Override
    public void satisfy(String path) throws IOException {
      if (!refusals.isEmpty()) {
        throw refusals.poll();
      }
      calls.add("satisfy " + path);
      if (forgets > 0) {
        forgets--;
        return;
      }
      asked.add(path);
      mostAsked = Math.max(mostAsked, asked.size());
    }

    @Override
    public List<StorageType> types(String policy, int replication) {
      return List.of(SSD, DISK, DISK);
    }

    @Override
    public Optional<FileView> file(String path) {
      return Optional.ofNullable(files.get(path));
    }

    @Override
    public Map<String, FileView> files(Collection<String> paths) {
      Map<String, FileView> found = new HashMap<>();
      paths.forEach(path -> file(path).ifPresent(file -> found.put(path, file)));
      return found;
    }
  }
}
