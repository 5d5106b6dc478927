// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.UnrecordedException;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.PlanUnderWay;
import io.thermocline.tiering.journal.UndoPlan;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after what was under way when the service ended without a word. The journal says what that was, HDFS what came
 * of it; each move, and each policy that nothing followed, comes to an end that the journal has, and so does each file that is
 * left half-way. One thread.
 *
 * <p>A copy that was asked for may still be made: DataNodes don't know that we are gone. So a move that HDFS doesn't show
 * is waited for as long as one of our own, and its file isn't planned for meanwhile.
 */
public final class Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** Files that the log names; one plan may have hundreds. */
  private static final int MAX_LOGGED = 5;

  /** A policy that HDFS refuses to put back stays after so many looks, and no plan waits for it. */
  private static final int MOST_TRIES = 3;

  private final Map<String, JournalEntry.Moved> open = new HashMap<>();

  /** How often HDFS refused to put a policy back, by path. */
  private final Map<String, Integer> tries = new HashMap<>();

  /** Paths that were reported to be left half-way. */
  private final Set<String> halfMoved = new HashSet<>();

  private final PlanUnderWay plan;
  private final long number;
  private final HdfsCalls hdfs;
  private final Recorder recorder;
  private final ExecutionControl control;
  private final LongSupplier nanos;
  private final Duration within;
  private final long begunNanos;
  private int reported;
  private boolean ended;

  /**
   * @param control asked before a policy is put back; while it holds, that waits
   * @param within how long a copy may take from now on
   */
  public Recovery(
      Journal journal,
      HdfsCalls hdfs,
      Recorder recorder,
      ExecutionControl control,
      LongSupplier nanos,
      Duration within) {
    this.hdfs = hdfs;
    this.recorder = recorder;
    this.control = control;
    this.nanos = nanos;
    this.within = within;
    this.begunNanos = nanos.getAsLong();
    for (JournalEntry.Moved moved : journal.open()) {
      open.put(moved.move(), moved);
    }
    // Plans that are begun meanwhile take its place in the journal.
    this.plan = journal.underWay();
    this.number = journal.lastPlan();
    this.ended = open.isEmpty() && plan.unfinished().isEmpty();
    if (!ended) {
      LOG.info(
          "plan {} was under way when the service ended: {} files, {} copies had been asked for",
          number,
          plan.unfinished().size(),
          open.size());
    }
  }

  /** Whether a move of the path may still be under way. */
  public boolean isOpen(String path) {
    return open.values().stream().anyMatch(moved -> moved.path().equals(path));
  }

  /** Looks at what is open; to be called before each plan, and before one is taken back. */
  public void look() throws IOException {
    if (ended) {
      return;
    }
    Set<String> paths =
        open.values().stream().map(JournalEntry.Moved::path).collect(Collectors.toSet());
    Map<String, FileView> shown = paths.isEmpty() ? Map.of() : hdfs.files(paths);
    boolean late = nanos.getAsLong() - begunNanos > within.toNanos();
    for (JournalEntry.Moved moved : List.copyOf(open.values())) {
      MoveState state = state(moved, shown.get(moved.path()));
      if (state == null && late) {
        state = MoveState.FAILED;
      }
      if (state != null) {
        end(moved, state);
      }
    }
    boolean isLeft = false;
    for (JournalEntry.PolicySet idle : plan.idlePolicies()) {
      if (open.values().stream().noneMatch(move -> Paths.isAtOrBelow(move.path(), idle.path()))) {
        if (!control.mayBegin()) {
          return;
        }
        isLeft |= !putBack(idle);
      }
    }
    reportHalfMoved();
    if (open.isEmpty() && !isLeft) {
      recorder.before("planEnded", new JournalEntry.PlanEnded(recorder.now(), number));
      ended = true;
    }
  }

  /**
   * Nothing but these lines tells of them once the plan has ended, or the next one has begun, which may be while copies of
   * other files are waited for.
   */
  private void reportHalfMoved() throws IOException {
    for (Journal.HalfMoved file : plan.halfMoved()) {
      String path = file.planned().path();
      if (!isOpen(path) && !halfMoved.contains(path)) {
        report(
            path,
            "half-way: %d of the %d copies of plan %d are made, the next plan decides on the rest"
                .formatted(file.verified(), file.planned().moves(), file.planned().plan()));
        halfMoved.add(path);
      }
    }
  }

  /** The plan that was under way; 0 where none was. */
  public long plan() {
    return plan.number();
  }

  /** What came of its moves, in words; empty until all is looked after. */
  public Optional<String> account() {
    return ended && plan.number() > 0 ? Optional.of(plan.account()) : Optional.empty();
  }

  /** Whether all that was under way is looked after. */
  public boolean isEnded() {
    return ended;
  }

  private void end(JournalEntry.Moved moved, MoveState state) throws IOException {
    String detail =
        switch (state) {
          case VERIFIED -> "";
          case OBSOLETE -> "the file changed or went away";
          default -> "not shown within " + within.toSeconds() + " s after a restart";
        };
    JournalEntry.Moved end =
        new JournalEntry.Moved(
            recorder.now(),
            moved.move(),
            moved.path(),
            moved.block(),
            moved.from(),
            moved.to(),
            state.name(),
            detail,
            moved.bytes());
    // First: a life that comes after its end looks at it no more.
    String to = hdfs.host(UndoPlan.node(moved.to())) + " " + UndoPlan.type(moved.to());
    report(moved.path(), "move " + moved.move() + " to " + to + " is " + state);
    recorder.before(state.name(), end);
    plan.moved(end);
    open.remove(moved.move());
  }

  /** Null where HDFS shows neither that it is done nor that it can't be any more. */
  private static MoveState state(JournalEntry.Moved moved, FileView now) {
    if (now == null) {
      return MoveState.OBSOLETE;
    }
    FileView.Block block =
        now.blocks().stream().filter(one -> one.id() == moved.block()).findAny().orElse(null);
    if (block == null) {
      return MoveState.OBSOLETE;
    }
    boolean isDone =
        block.replicas().size() == now.replication()
            && has(block, moved.to())
            && !has(block, moved.from());
    return isDone ? MoveState.VERIFIED : null;
  }

  private static boolean has(FileView.Block block, String place) {
    int space = place.lastIndexOf(' ');
    return block.replicas().stream()
        .anyMatch(
            replica ->
                replica.node().equals(place.substring(0, space))
                    && replica.type() == StorageType.valueOf(place.substring(space + 1)));
  }

  /**
   * A policy that no copy followed would lie about where the copies are.
   *
   * @return false where HDFS refused, and it is tried again
   */
  private boolean putBack(JournalEntry.PolicySet idle) throws IOException {
    String found;
    try {
      String now = hdfs.storagePolicy(idle.path());
      if (idle.before() == null || !now.equals(idle.policy())) {
        found = "policy " + idle.policy() + " had not been set yet, or isn't ours any more";
      } else {
        recorder.replacePolicy(
            hdfs,
            idle.path(),
            idle.before(),
            new HdfsCalls.Own(idle.policy(), plan.blockOf(idle.path())));
        found = "policy " + idle.policy() + " was put back, as no copy followed";
      }
    } catch (Quotas.ExceededException e) {
      found = "policy " + idle.policy() + " stays: " + e.getMessage();
    } catch (ChangedSinceException e) {
      found = "policy " + idle.policy() + " isn't ours any more: " + e.getMessage();
    } catch (FileNotFoundException e) {
      found = "it is gone";
    } catch (UnrecordedException e) {
      throw e;
    } catch (IOException e) {
      String words = e.getMessage() == null ? e.toString() : e.getMessage();
      String why = words.lines().findFirst().orElse(words);
      if (tries.merge(idle.path(), 1, Integer::sum) < MOST_TRIES) {
        LOG.warn("{}: policy {} isn't put back yet: {}", idle.path(), idle.policy(), why);
        return false;
      }
      found = "policy " + idle.policy() + " stays: " + why;
    }
    report(idle.path(), found);
    plan.settled(idle);
    return true;
  }

  private void report(String path, String found) throws IOException {
    if (++reported <= MAX_LOGGED) {
      LOG.info(
          "{}: {}{}", path, found, reported == MAX_LOGGED ? " (the journal has the rest)" : "");
    }
    recorder.before("recovered", new JournalEntry.Recovered(recorder.now(), number, path, found));
  }
}
