// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Has Hadoop's Storage Policy Satisfier make the moves of plans: sets the policy of each file,
 * asks for it, and looks at HDFS until each block lies on the types of the policy. On which
 * DataNodes is the satisfier's choice, and when: a plan may take long. One plan at a time, by
 * the calling thread.
 *
 * <p>The satisfier forgets what it was asked when it or the NameNode starts anew: what isn't
 * shown in time is asked for again, as often as a copy is tried. No more files are asked for at
 * once than copies may run.
 */
public final class SatisfierExecutor implements BackEnd {

  private static final Duration FIRST_LOOK = Duration.ofMillis(250);

  private static final String STALLED =
      "the satisfier takes no more files, or moves none: does one run?";

  private final SatisfierCalls hdfs;
  private volatile ActLimits limits;
  private final PlanExecutor.Machinery machinery;
  private final PlanExecutor.PolicyListener policies;

  /**
   * @param machinery whose copying threads are not needed
   */
  public SatisfierExecutor(
      SatisfierCalls hdfs,
      ActLimits limits,
      PlanExecutor.Machinery machinery,
      PlanExecutor.PolicyListener policies) {
    this.hdfs = hdfs;
    this.limits = limits;
    this.machinery = machinery;
    this.policies = policies;
  }

  /** A file that the satisfier was asked for. */
  private static final class Asked {
    private final FileTask task;
    private int times;
    private long atNanos;

    Asked(FileTask task) {
      this.task = task;
    }
  }

  @Override
  public void giveWay(Set<String> busy, boolean isCongested) {
    // Which DataNodes it uses, and how many at once, is the satisfier's own affair.
  }

  @Override
  public void limit(ActLimits next, Pacing pacing, Map<String, String> excluded) {
    limits = next;
  }

  @Override
  public void execute(Plan plan, MoveListener listener) throws InterruptedException {
    Deque<FileTask> waiting = new ArrayDeque<>();
    plan.files().forEach(file -> waiting.add(new FileTask(file, listener)));
    List<Asked> asked = new ArrayList<>();
    PolicySetter setter = new PolicySetter(hdfs, hdfs::setStoragePolicy, policies);
    Cadence cadence = new Cadence(FIRST_LOOK, limits.verifyEvery(), now());
    ExecutionControl control = machinery.control();
    while (!waiting.isEmpty() || !asked.isEmpty()) {
      if (control.isAbandoning() || isStalled()) {
        asked.forEach(one -> waiting.add(one.task));
        for (FileTask task : waiting) {
          task.abandon(control.isAbandoning() ? control.reason() : STALLED);
        }
        return;
      }
      control
          .watch()
          .waitsFor(
              "the satisfier: asked for "
                  + asked.size()
                  + " files, "
                  + waiting.size()
                  + " to be asked for");
      if (control.isEnding()) {
        for (FileTask task : waiting) {
          task.endUnbegun(MoveState.CANCELLED, control.reason());
          // Recorded, and never asked for: its queue was full, or it was held back.
          end(task, MoveState.FAILED, control.reason());
        }
        waiting.clear();
      }
      boolean isFull = false;
      while (!waiting.isEmpty()
          && asked.size() < limits.copies()
          && !isFull
          && control.mayBegin()) {
        isFull = !begin(waiting, asked, setter);
      }
      if (cadence.nanosUntilDue(now()) == 0) {
        long begin = now();
        cadence.looked(begin, now(), look(asked));
      }
      if (!waiting.isEmpty() || !asked.isEmpty()) {
        machinery.pause().pause(Duration.ofNanos(Math.max(1, cadence.nanosUntilDue(now()))));
      }
    }
  }

  /** Whether the satisfier, or the journal, has taken nothing for longer than a file may take. */
  private boolean isStalled() {
    ExecutionControl control = machinery.control();
    control.watch().held(!control.mayBegin() && !control.isEnding());
    return control.watch().silence().compareTo(limits.verifyWithin().multipliedBy(2)) > 0;
  }

  /** Asks for the next file; false where the satisfier, or the journal, takes no more for now. */
  private boolean begin(Deque<FileTask> waiting, List<Asked> asked, PolicySetter setter)
      throws InterruptedException {
    FileTask task = waiting.poll();
    try {
      String objection = objection(task, setter);
      if (objection != null) {
        task.endUnbegun(MoveState.OBSOLETE, objection);
        return true;
      }
      if (!isRecorded(task) || !machinery.control().mayBegin()) {
        waiting.addFirst(task);
        return false;
      }
      setter.ensure(task.file());
      Asked one = new Asked(task);
      ask(one);
      asked.add(one);
      return true;
    } catch (BusySatisfierException | UnrecordedException e) {
      waiting.addFirst(task);
      return false;
    } catch (IOException | RuntimeException e) {
      task.endUnbegun(MoveState.OBSOLETE, FailureText.of(e));
      end(task, MoveState.FAILED, FailureText.of(e));
      return true;
    }
  }

  /** Records that the file's moves begin, before anything is asked of HDFS; false where that can't be. */
  private static boolean isRecorded(FileTask task) {
    try {
      task.file().moves().forEach(task::begin);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static void end(FileTask task, MoveState state, String why) {
    open(task).forEach(move -> task.set(move, state, why));
  }

  private String objection(FileTask task, PolicySetter setter) throws IOException {
    Optional<FileView> now = hdfs.file(task.path());
    if (now.isEmpty() || !hasBlocks(task, now.get())) {
      return "the file changed or went away";
    }
    if (!setter.maySet(task.file())
        && MoveCheck.isPolicyOfOthers(task.file().decision().hot().file(), now.get())) {
      return MoveCheck.POLICY_OF_OTHERS;
    }
    List<StorageType> wanted = task.file().decision().target().copies();
    List<StorageType> policys = hdfs.types(task.file().storagePolicy(), now.get().replication());
    return sorted(wanted).equals(sorted(policys))
        ? null
        : "the satisfier goes by the storage policy, and "
            + task.file().storagePolicy()
            + " has copies on "
            + policys
            + ", not on "
            + wanted;
  }

  private void ask(Asked one) throws IOException {
    hdfs.satisfy(one.task.path());
    machinery.control().watch().progressed();
    one.times++;
    one.atNanos = now();
  }

  private boolean look(List<Asked> asked) {
    Map<String, Optional<FileView>> views =
        hdfs.views(asked.stream().map(one -> one.task.path()).toList());
    boolean sawChange = false;
    Iterator<Asked> each = asked.iterator();
    while (each.hasNext()) {
      Asked one = each.next();
      sawChange |= look(one, views.get(one.task.path()));
      if (open(one.task).isEmpty()) {
        each.remove();
      }
    }
    return sawChange;
  }

  /** Moves of one block may be rounds here: the satisfier makes them all. */
  private static List<Move> open(FileTask task) {
    return task.file().moves().stream().filter(move -> !task.isFinal(move)).toList();
  }

  /**
   * @param now null where HDFS can't be asked
   */
  private boolean look(Asked one, Optional<FileView> now) {
    boolean sawChange = false;
    for (Move move : now == null ? List.<Move>of() : open(one.task)) {
      if (now.isEmpty() || !MoveCheck.hasBlock(move, now.get())) {
        one.task.set(move, MoveState.OBSOLETE, "the file changed or went away");
        sawChange = true;
      } else if (lies(move, now.get(), one.task.file().decision().target().copies())) {
        one.task.set(move, MoveState.VERIFIED, "");
        sawChange = true;
      }
    }
    boolean isLate = now() - one.atNanos > limits.verifyWithin().toNanos();
    if (isLate && !open(one.task).isEmpty()) {
      askAgain(one);
    }
    return sawChange;
  }

  private void askAgain(Asked one) {
    String why =
        "the satisfier, asked "
            + one.times
            + " times, has not moved it within "
            + limits.verifyWithin().toSeconds()
            + " s each: does one run?";
    boolean isGivenUp = one.times >= limits.attempts() || machinery.control().isEnding();
    if (!isGivenUp) {
      try {
        ask(one);
      } catch (BusySatisfierException e) {
        one.atNanos = now();
      } catch (IOException e) {
        isGivenUp = true;
        why = FailureText.of(e);
      }
    }
    if (isGivenUp) {
      end(one.task, MoveState.FAILED, why);
    }
  }

  private static boolean lies(Move move, FileView now, List<StorageType> wanted) {
    return now.blocks().stream()
        .filter(block -> block.id() == move.block().id())
        .anyMatch(block -> sorted(block.types()).equals(sorted(wanted)));
  }

  private static boolean hasBlocks(FileTask task, FileView now) {
    return task.file().moves().stream().allMatch(move -> MoveCheck.hasBlock(move, now));
  }

  private static List<StorageType> sorted(List<StorageType> types) {
    return types.stream().sorted().toList();
  }

  private long now() {
    return machinery.nanos().getAsLong();
  }
}
