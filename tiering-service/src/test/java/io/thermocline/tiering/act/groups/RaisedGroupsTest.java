// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import static io.thermocline.placement.model.StorageType.DISK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.FakeHdfs;
import io.thermocline.tiering.act.MoveListener;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HDFS puts each new replica on n4; the group's place is n6. */
class RaisedGroupsTest {

  private static final ActLimits LIMITS =
      new ActLimits(8, 8, 3, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(60));
  private static final long BLOCK = 1000;
  private static final int FILES = 5;
  private static final Pacing UNPACED = new Pacing(BLOCK, Map.of(), 1e9, Duration.ofMinutes(10));

  private final FakeHdfs hdfs = new FakeHdfs();
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> said = new ArrayList<>();
  private final ExecutorService copiers = Executors.newFixedThreadPool(4);
  private final Moves moves = new Moves();
  private final Factors factors = new Factors();
  private final Map<String, ActionCalls.Raised> marks = new HashMap<>();
  private final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());
  private static final long LATE_NANOS = 50_000_000_000L;

  /** Files that lack a replica, which comes later; null where it comes at once. */
  private Deque<String> late;

  private final Set<String> stalled = new HashSet<>();

  @AfterEach
  void stop() throws InterruptedException {
    copiers.shutdownNow();
    assertTrue(copiers.awaitTermination(60, TimeUnit.SECONDS));
  }

  @Test
  void bringsNewReplicasToThePlaceWithinTheBandwidthOfADataNode() throws Exception {
    raise(new Pacing(BLOCK, Map.of(), 1e9, Duration.ofMinutes(10)));

    assertEquals(List.of("shown [n6:9866 DISK]"), said);
    assertTrue(nanos.get() >= (FILES - 1) * 900_000_000L, "a block a second: " + nanos);
    assertTrue(hdfs.calls().stream().noneMatch(call -> call.startsWith("policy")), "none is set");
  }

  @Test
  void saysHowManyCameToThePlaceWhereItIsStopped() throws Exception {
    hdfs.duringCopy(() -> control.end(ExecutionControl.Stop.FINISH));

    raise(new Pacing(BLOCK, Map.of(), 1e9, Duration.ofMinutes(10)));

    assertEquals(List.of("shown [n6:9866 DISK (1 of 5 blocks)]"), said);
  }

  /** Also those that never begin, and once each those that are tried again. */
  @Test
  void tellsOfAllCopiesBeforeTheFirstBegins() throws Exception {
    hdfs.failNext(new IOException("opReplaceBlock: no route"));
    hdfs.duringCopy(() -> control.end(ExecutionControl.Stop.FINISH));

    raise(new Pacing(BLOCK, Map.of(), 1e9, Duration.ofMinutes(10)));

    List<String> all = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      all.add("1-g0." + i);
    }
    assertEquals(all, moves.planned.stream().sorted().toList());
    assertEquals(all, moves.ended.stream().sorted().toList());
  }

  /** The factor was lowered a moment ago: the replica too many is no new one. */
  @Test
  void leavesFilesAloneOfWhichHdfsIsAboutToDeleteReplicas() throws Exception {
    hdfs.put(made("/f2", 2, 2, "n1", "n3", "n4"));

    raise(new Pacing(BLOCK, Map.of(), 1e9, Duration.ofMinutes(10)));

    assertEquals(
        List.of("ended /f2 has blocks with more or fewer replicas than it asks for"), said);
    assertEquals(2, hdfs.file("/f2").orElseThrow().replication());
  }

  /** HDFS makes a replica each 50 s: the service is ready meanwhile. */
  @Test
  void eachReplicaThatHdfsMakesIsProgress() throws Exception {
    late = new ArrayDeque<>();
    control.watch().begin("plan 1", nanos::get);

    raise(new Pacing(BLOCK, Map.of(), 1e9, Duration.ofMinutes(10)));

    assertEquals(List.of("shown [n6:9866 DISK]"), said);
    assertTrue(nanos.get() > 200e9, "it waited for " + nanos);
    assertEquals(Set.of(""), stalled);
  }

  private void pause(Duration wait) {
    long before = nanos.get() / LATE_NANOS;
    long now = nanos.addAndGet(wait.toNanos()) / LATE_NANOS;
    if (late != null && !late.isEmpty()) {
      stalled.add(control.watch().stalled());
      if (now > before) {
        makeReplica(late.remove());
      }
    }
  }

  private void makeReplica(String path) {
    hdfs.put(made(path, Long.parseLong(path.substring(2)), 3, "n1", "n3", "n4"));
  }

  @Test
  void lowersNoFactorThatSomebodySetToTheSame() throws Exception {
    RaisedGroups groups = raise(UNPACED);
    factors.takenOver("/f3");

    String left = groups.lower(7, members());

    assertEquals("; /f3 keeps 3 replicas: somebody set its replication factor", left);
    assertEquals(List.of(2, 2, 2, 3, 2), replications());
    assertEquals(Map.of(), factors.ours);
  }

  @Test
  void overwritesNoFactorThatSomebodySetSinceTheLook() throws Exception {
    factors.beforeRaising = path -> setBySomebody(path, "/f2", 5);

    raise(UNPACED);

    assertEquals(1, said.size(), said::toString);
    assertTrue(said.get(0).contains("somebody made its replication factor 5"), said::toString);
    assertEquals(List.of(2, 2, 5, 2, 2), replications());
    assertEquals(Map.of(), factors.ours);
  }

  /** A crash came right before the journal could say that they are lowered. */
  @Test
  void recordsAsLoweredWhatIs() throws Exception {
    RaisedGroups groups = raise(UNPACED);
    hdfs.put(made("/f1", 1, 2, "n1", "n3"));

    assertEquals("", groups.lower(7, members()));
    assertEquals(Map.of(), factors.ours);
  }

  @Test
  void goesByMarksWhereAJournalOfAnEarlierVersionSaysNothingOfMembers() throws Exception {
    RaisedGroups groups = raise(UNPACED);
    factors.ours.clear();
    for (String path : List.of("/f0", "/f1", "/f2")) {
      marks.put(path, new ActionCalls.Raised(2, 3, 0));
    }
    factors.takenOver("/f2");

    groups.lower(7, members());

    assertEquals(List.of(2, 2, 3, 3, 3), replications());
  }

  private void setBySomebody(String path, String wanted, int factor) {
    if (path.equals(wanted)) {
      hdfs.put(made(path, 2, factor, "n1", "n3"));
    }
  }

  private List<Integer> replications() throws IOException {
    List<Integer> factors = new ArrayList<>();
    for (GroupChange.Member member : members()) {
      factors.add(hdfs.file(member.path()).orElseThrow().replication());
    }
    return factors;
  }

  private static List<GroupChange.Member> members() {
    List<GroupChange.Member> members = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      members.add(new GroupChange.Member("/f" + i, i, BLOCK, 1, 2));
    }
    return members;
  }

  private RaisedGroups raise(Pacing pacing) throws InterruptedException {
    PlanExecutor.Machinery machinery =
        new PlanExecutor.Machinery(copiers, nanos::get, this::pause, control);
    PlanExecutor mover =
        new PlanExecutor(hdfs, LIMITS, pacing, machinery, (path, policy) -> said.add(policy));
    for (GroupChange.Member member : members()) {
      if (hdfs.file(member.path()).isEmpty()) {
        hdfs.put(made(member.path(), member.inode(), 2, "n1", "n3"));
      }
    }
    GroupChange change =
        new GroupChange(
            GroupChange.Kind.RAISE,
            7,
            members(),
            "local",
            "large",
            List.of(new GroupChange.Place("n6", "n6:9866", "n6-DISK", DISK)),
            0,
            "read together");
    ActLimits patient =
        new ActLimits(
            8, 8, 3, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(10));
    RaisedGroups groups =
        new RaisedGroups(hdfs, new Actions(), patient, machinery, mover, factors, moves);
    groups.raise("1-g0", change, new Said(), 1);
    return groups;
  }

  private static FileView made(String path, long block, int factor, String... nodes) {
    List<FileView.Replica> replicas = new ArrayList<>();
    for (String node : nodes) {
      replicas.add(new FileView.Replica(node, node + "-DISK", DISK));
    }
    return new FileView(
        path, BLOCK, factor, 0, List.of(new FileView.Block("BP-1", block, 1, BLOCK, replicas)));
  }

  private final class Actions implements ActionCalls {
    @Override
    public void setReplication(String path, int factor) {
      long block = Long.parseLong(path.substring(2));
      if (factor != 3) {
        hdfs.put(made(path, block, factor, "n1", "n3"));
      } else if (late == null) {
        makeReplica(path);
      } else {
        hdfs.put(made(path, block, factor, "n1", "n3"));
        late.add(path);
      }
    }

    @Override
    public Marks marks(String path) {
      return new Marks(marks.get(path), null);
    }

    @Override
    public void cache(String path, int copies, Consumer<Directive> made) {
      throw new AssertionError();
    }

    @Override
    public void uncache(String path, Directive ours) {
      throw new AssertionError();
    }

    @Override
    public Optional<Cached> cached(String path, Directive ours) {
      return Optional.empty();
    }

    @Override
    public Optional<FileView> file(String path) {
      return hdfs.file(path);
    }
  }

  private static final class Factors implements MemberFactors {
    private final Map<String, Integer> ours = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private Consumer<String> beforeRaising = path -> {};

    void takenOver(String path) {
      ours.remove(path);
      taken.add(path);
    }

    @Override
    public void willReplicate(long group, String path, int before, int after) {
      lowered(group, path, before, after);
      if (after > before) {
        beforeRaising.accept(path);
      }
    }

    @Override
    public void lowered(long group, String path, int before, int after) {
      if (after > before) {
        ours.put(path, after);
      } else {
        ours.remove(path);
      }
    }

    @Override
    public boolean isOurs(String path, int factor) {
      return ours.getOrDefault(path, 0) == factor;
    }

    @Override
    public boolean isTaken(String path) {
      return taken.contains(path);
    }
  }

  /** By their ids. */
  private static final class Moves implements MoveListener {
    private final List<String> planned = new ArrayList<>();
    private final List<String> ended = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void planned(List<Move> moves) {
      moves.forEach(move -> planned.add(move.id()));
    }

    @Override
    public void changed(Move move, MoveState state, String detail) {
      assertTrue(planned.contains(move.id()), () -> move.id() + " " + state);
      if (state.isFinal()) {
        ended.add(move.id());
      }
    }
  }

  private final class Said implements GroupRecord {
    @Override
    public void willMake(long plan, GroupChange change, String file) {
      throw new AssertionError();
    }

    @Override
    public void shown(long group, List<String> places) {
      said.add("shown " + places);
    }

    @Override
    public void ended(long plan, long group, String who, String why) {
      said.add("ended " + why);
    }
  }
}
