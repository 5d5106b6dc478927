// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.app.records.LayoutOwners;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.JournalMemory;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A plan on a small model of HDFS, in which clients come between any two steps of the service: each change once at each step,
 * and several by chance, with calls that fail, people who pause and stop, and a service that dies. All of the former with
 * -Dorders.all=true, more of the latter with -Dorders.random=100000 -Dorders.seed=1.
 */
@Tag("slow")
class ClientOrdersTest {

  private static final int RANDOM =
      Integer.getInteger("orders.random", Boolean.getBoolean("test.short") ? 100 : 200);
  private static final long SEED = Long.getLong("orders.seed", Long.getLong("test.seed", 20261123));

  /** Between any two steps, or between some of them: other ones for each change and seed. */
  private static final int EACH = Boolean.getBoolean("orders.all") ? 1 : 20;

  private static final String A = "/d/a";
  private static final String B = "/d/b";
  private static final ActLimits LIMITS =
      new ActLimits(3, 2, 3, Duration.ofSeconds(1), Duration.ofMillis(500), Duration.ofSeconds(30));
  private static final Pacing PACING =
      new Pacing(
          Double.POSITIVE_INFINITY, Map.of(), Double.POSITIVE_INFINITY, Duration.ofMinutes(2));

  /** The longest that a plan waits for anything is for its begin, and a minute more; and so do its last copies. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Duration HELPED_AFTER = Duration.ofMinutes(4);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final int MOST_STEPS = 100_000;

  /** What comes between two steps of the service. */
  private enum Change {
    RENAMED_AWAY,
    RENAMED_AND_BACK,
    RENAMED_AND_BACK_LATER,
    REPLACED_BY_RENAME,
    REPLACED_BY_ONE_OF_ITS_POLICY,
    EXCHANGED,
    DELETED,
    MADE_ANEW,
    MADE_ANEW_WITH_ITS_POLICY,
    APPENDED,
    REPLICATION_RAISED,
    REPLICATION_LOWERED,
    POLICY_SET,
    POLICY_UNSET,
    LOG_READ,
    NAMENODE_AWAY,
    ANSWER_BROKEN,
    COPIES_FAIL,
    COPIES_WORK,
    JOURNAL_FAILS,
    JOURNAL_WORKS,
    PAUSED,
    RESUMED,
    STOPPED,
    ABANDONED,
    KILLED
  }

  private static final List<Change> OF_CLIENTS =
      List.of(Change.values()).subList(0, Change.LOG_READ.ordinal());

  private final List<String> failures = new ArrayList<>();

  private record At(long step, Change change, String path) {}

  /** One plan. */
  private final class Trial {
    private final Lockstep threads = new Lockstep();
    private final JournalMemory memory = new JournalMemory();
    private final SplittableRandom random;
    private final boolean isRandom;
    private final List<At> changes;
    private final SteppedHdfs hdfs;
    private final Plan plan;
    private Journal journal;
    private ApplyMode service;
    private LayoutOwners owners;
    private boolean isKilled;
    private boolean isBroken;
    private boolean isDone;
    private boolean isHelped;
    private long doneNanos;
    private long tickedNanos;

    Trial(long seed, boolean isRandom, List<At> changes) throws IOException {
      this.random = new SplittableRandom(seed);
      this.isRandom = isRandom;
      this.changes = new ArrayList<>(changes);
      this.hdfs = new SteppedHdfs(threads, random.split());
      hdfs.create(A, 3, "n1-DISK", "n3-DISK");
      hdfs.create(B, 1, "n1-DISK", "n4-DISK");
      hdfs.create("/d/other", 1, "n2-DISK", "n4-DISK");
      hdfs.takeLog();
      this.plan = new Plan(1, List.of(promotion(), archiving()), List.of());
    }

    private Plan.FileMoves promotion() {
      FileView file = hdfs.view(A).orElseThrow();
      return new Plan.FileMoves(
          decision(file, SSD),
          "ONE_SSD",
          List.of(
              move("1-0", file, 0, 0, "n1", SSD),
              move("1-1", file, 1, 0, "n2", SSD),
              move("1-2", file, 2, 1, "n4", SSD)));
    }

    /** Two copies of one block: one after the other. */
    private Plan.FileMoves archiving() {
      FileView file = hdfs.view(B).orElseThrow();
      return new Plan.FileMoves(
          decision(file, ARCHIVE),
          "COLD",
          List.of(move("1-3", file, 0, 0, "n2", ARCHIVE), move("1-4", file, 0, 1, "n5", ARCHIVE)));
    }

    private static Decision decision(FileView file, StorageType lead) {
      return new Decision(
          new HotFile(file, 1),
          DISK,
          new Target(List.of(lead, DISK), "ONE_SSD"),
          Decision.Cause.PROMOTED,
          "1.0 reads",
          new Gate.Benefit(2, 0, 1));
    }

    private static Move move(
        String id, FileView file, int block, int replica, String node, StorageType type) {
      FileView.Block of = file.blocks().get(block);
      return new Move(
          id, file.path(), of, of.replicas().get(replica), node, node + "-" + type, type);
    }

    private void live() throws IOException {
      journal = Journal.open(memory.open());
      service =
          new ApplyMode(
              new ApplyMode.Hands(
                  hdfs,
                  (machinery, policies) ->
                      new PlanExecutor(hdfs, LIMITS, PACING, machinery, policies),
                  null,
                  threads),
              LIMITS,
              "pool",
              journal,
              new ServiceRuntime(
                  new Now(threads), threads::nanos, threads::pause, name -> threads.point()));
      owners =
          new LayoutOwners(
              journal, service::record, service::writeNoted, path -> 0, () -> "", new Now(threads));
      journal.append(
          new JournalEntry.Started(Instant.EPOCH.toString(), "APPLY", journal.epoch() + 1));
    }

    void run() throws IOException, InterruptedException {
      live();
      threads.execute(this::carryOut);
      long most = MOST_STEPS;
      while (true) {
        while (!changes.isEmpty() && changes.get(0).step() <= threads.steps()) {
          come(changes.remove(0));
        }
        if (!threads.step(isRandom ? random : null)) {
          if (isDone && changes.stream().noneMatch(one -> one.change() == Change.KILLED)) {
            break;
          }
          if (isDone) {
            // It dies after its end.
            changes.removeIf(one -> one.change() != Change.KILLED);
            come(changes.remove(0));
          } else {
            throw new IllegalStateException("ended without a word");
          }
        }
        if (--most < 0) {
          throw new IllegalStateException("no end: " + service.control().obstacle());
        }
        // Whoever paused it comes back, and so do journals.
        if (threads.nanos() > HELPED_AFTER.toNanos() && !isHelped) {
          isHelped = true;
          memory.fail(null);
          hdfs.copiesFail(false);
          resume();
        }
        // Each second, as in a service, and more often.
        if (threads.steps() % 50 == 0 || threads.nanos() - tickedNanos >= SECOND) {
          tickedNanos = threads.nanos();
          service.tick();
        }
      }
      finish();
      check();
    }

    private void carryOut() {
      try {
        service.handle(plan);
      } catch (IOException e) {
        // The journal doesn't take the plan.
        assertTrue(service.recentMoves().isEmpty(), e::toString);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IllegalStateException e) {
        assertTrue(isBroken, e::toString);
      }
      doneNanos = threads.nanos();
      isDone = true;
    }

    /** The next life looks after what is left. */
    private void recover() {
      try {
        while (!service.recovery().isEnded()) {
          try {
            service.recovery().look();
          } catch (IOException e) {
            service.tick();
          } catch (IllegalStateException e) {
            assertTrue(isBroken, e::toString);
          }
          threads.pause(Duration.ofSeconds(1));
        }
      } finally {
        doneNanos = threads.nanos();
        isDone = true;
      }
    }

    private void come(At at) throws IOException, InterruptedException {
      String path = at.path();
      switch (at.change()) {
        case RENAMED_AWAY -> hdfs.rename(path, path + ".away");
        case RENAMED_AND_BACK -> {
          hdfs.rename(path, path + ".away");
          hdfs.rename(path + ".away", path);
        }
        case RENAMED_AND_BACK_LATER -> {
          if (hdfs.rename(path, path + ".away")) {
            threads.execute(
                () -> {
                  threads.pause(Duration.ofMillis(random.nextInt(2000)));
                  hdfs.rename(path + ".away", path);
                });
          }
        }
        case REPLACED_BY_RENAME -> hdfs.rename("/d/other", path);
        case REPLACED_BY_ONE_OF_ITS_POLICY -> {
          hdfs.clientSetsPolicy("/d/other", policyOf(path));
          hdfs.rename("/d/other", path);
        }
        case EXCHANGED -> {
          hdfs.rename(A, "/d/third");
          hdfs.rename(B, A);
          hdfs.rename("/d/third", B);
        }
        case DELETED -> hdfs.delete(path);
        case MADE_ANEW -> {
          hdfs.delete(path);
          hdfs.create(path, 1, "n1-DISK", "n3-DISK");
        }
        case MADE_ANEW_WITH_ITS_POLICY -> {
          hdfs.delete(path);
          hdfs.create(path, 1, "n1-DISK", "n3-DISK");
          hdfs.clientSetsPolicy(path, policyOf(path));
        }
        case APPENDED -> {
          hdfs.append(path);
          threads.execute(
              () -> {
                threads.pause(Duration.ofSeconds(3));
                hdfs.close(path);
              });
        }
        case REPLICATION_RAISED -> hdfs.setReplication(path, 3);
        case REPLICATION_LOWERED -> hdfs.setReplication(path, 1);
        case POLICY_SET -> hdfs.clientSetsPolicy(path, "WARM");
        case POLICY_UNSET -> hdfs.clientSetsPolicy(path, "");
        case LOG_READ -> threads.execute(this::readLog);
        case NAMENODE_AWAY -> hdfs.goAway(Duration.ofMillis(random.nextInt(60_000)));
        case ANSWER_BROKEN -> {
          hdfs.breakNext();
          isBroken = true;
        }
        case COPIES_FAIL -> hdfs.copiesFail(true);
        case COPIES_WORK -> hdfs.copiesFail(false);
        case JOURNAL_FAILS -> memory.fail(new IOException("no space left"));
        case JOURNAL_WORKS -> memory.fail(null);
        case PAUSED -> steer(() -> service.control().pause("ann", ""));
        case RESUMED -> resume();
        case STOPPED ->
            steer(() -> service.control().stop(ExecutionControl.Stop.FINISH, "ann", ""));
        case ABANDONED ->
            steer(() -> service.control().stop(ExecutionControl.Stop.ABANDON, "ann", ""));
        case KILLED -> {
          threads.kill();
          isKilled = true;
          isDone = false;
          memory.fail(null);
          live();
          resume();
          threads.execute(this::recover);
        }
      }
    }

    private void resume() {
      if (service.control().current().state() == ExecutionControl.State.PAUSED
          || service.control().current().state() == ExecutionControl.State.STOPPED) {
        steer(() -> service.control().resume("ann", ""));
      }
    }

    private void steer(Step step) {
      try {
        step.run();
      } catch (IOException | IllegalStateException e) {
        // Neither while it stops, nor where nothing can be recorded.
      }
    }

    private void readLog() {
      hdfs.takeLog().forEach(owners::accept);
      owners.endOfPoll();
      owners.settle(hdfs, null);
    }

    private static String policyOf(String path) {
      return path.equals(A) ? "ONE_SSD" : "COLD";
    }

    /** All that can be known is. */
    private void finish() throws InterruptedException {
      memory.fail(null);
      for (int i = 0; i < 64; i++) {
        service.tick();
      }
      for (int i = 0; i < 3; i++) {
        threads.execute(this::readLog);
        while (threads.step(null)) {
          // To its end.
        }
      }
    }

    private void check() throws IOException {
      // A thread that copies ends with what broke, and its move too.
      threads.defects().forEach(defect -> assertTrue(isBroken, defect::toString));
      assertTrue(
          doneNanos < LONGEST.toNanos(), () -> "after " + Duration.ofNanos(doneNanos).toSeconds());
      assertEquals(List.of(), journal.open(), "open");
      assertEquals(List.of(), hdfs.lost(), "lost");
      Map<String, List<String>> states = new TreeMap<>();
      journal.history(
          entry -> {
            if (entry instanceof JournalEntry.Moved moved) {
              states.computeIfAbsent(moved.move(), first -> new ArrayList<>()).add(moved.state());
              assertTrue(!moved.isFinal() || ends(states.get(moved.move())) == 1, states::toString);
            }
          });
      states.values().forEach(each -> assertEquals(1, ends(each), states::toString));
      if (!isKilled) {
        assertTrue(
            service.recentMoves().stream()
                .allMatch(move -> MoveState.valueOf(move.state()).isFinal()),
            () -> service.recentMoves().toString());
        ServiceStatus.Moves counts = service.moves();
        assertEquals(0, counts.running(), counts::toString);
        assertEquals(
            counts.planned(),
            counts.verified() + counts.failed() + counts.dropped(),
            counts::toString);
        assertEquals(0, service.throttle().running(), "copies are counted that are none");
      }
    }

    private static long ends(List<String> states) {
      return states.stream().filter(state -> MoveState.valueOf(state).isFinal()).count();
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private static final class Now extends Clock {
    private final Lockstep threads;

    Now(Lockstep threads) {
      this.threads = threads;
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(threads.nanos());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void eachChangeBetweenAnyTwoSteps() throws Exception {
    Trial whole = new Trial(SEED, false, List.of());
    whole.run();
    assertEquals(5, whole.service.moves().verified() + whole.service.moves().failed());
    int trials = 0;
    for (Change change : Change.values()) {
      for (String path : List.of(A, B)) {
        for (long step = Math.floorMod(SEED + change.ordinal() + path.hashCode(), EACH);
            step < whole.threads.steps();
            step += EACH) {
          attempt(SEED, false, List.of(new At(step, change, path)));
          trials++;
        }
      }
    }
    noneFailed();
    System.out.println(trials + " orders with one change, of " + whole.threads.steps() + " steps");
  }

  @Test
  void severalChangesInAnyOrderOfThreads() throws Exception {
    SplittableRandom seeds = new SplittableRandom(SEED);
    for (int i = 0; i < RANDOM; i++) {
      long seed = seeds.nextLong();
      SplittableRandom random = new SplittableRandom(seed);
      List<At> changes = new ArrayList<>();
      for (int n = random.nextInt(1, 9); n > 0; n--) {
        Change change =
            random.nextBoolean()
                ? OF_CLIENTS.get(random.nextInt(OF_CLIENTS.size()))
                : Change.values()[random.nextInt(Change.values().length)];
        changes.add(new At(random.nextInt(150), change, random.nextBoolean() ? A : B));
      }
      changes.sort((one, other) -> Long.compare(one.step(), other.step()));
      attempt(seed, true, changes);
    }
    noneFailed();
  }

  private void attempt(long seed, boolean isRandom, List<At> changes) throws Exception {
    Trial trial = new Trial(seed, isRandom, changes);
    try {
      trial.run();
    } catch (Exception | AssertionError e) {
      List<JournalEntry> history = new ArrayList<>();
      trial.journal.history(history::add);
      failures.add(
          "seed "
              + seed
              + ", "
              + changes
              + ", at step "
              + trial.threads.steps()
              + ": "
              + e
              + "\n"
              + String.join("\n", history.stream().map(JournalEntry::toString).toList())
              + trial.threads.defects());
    }
  }

  private void noneFailed() {
    assertTrue(failures.isEmpty(), () -> failures.size() + " failed: " + failures.get(0));
  }
}
