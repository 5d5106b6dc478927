// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt at one copy, with its policy before it. Thread-safe. */
final class CopyAttempt {

  private static final Logger LOG = LoggerFactory.getLogger(CopyAttempt.class);

  private final HdfsCalls hdfs;

  /** How often a move may be tried while the mover does nothing: each time it had said that it does. */
  private static final int MOST_HELD_BACK = 100;

  private final PolicySetter policies;
  private final NodeLimits nodes;
  private final int attempts;
  private final LongSupplier nanos;
  private final ExecutionControl control;

  CopyAttempt(
      HdfsCalls hdfs,
      PolicySetter policies,
      NodeLimits nodes,
      int attempts,
      PlanExecutor.Machinery machinery) {
    this.hdfs = hdfs;
    this.policies = policies;
    this.nodes = nodes;
    this.attempts = attempts;
    this.nanos = machinery.nanos();
    this.control = machinery.control();
  }

  /**
   * @param tookNanos where the copy was made; else -1
   * @param failure null where it was made
   * @param isAgain whether it is to be tried again
   */
  record Result(MoveQueue.Waiting tried, long tookNanos, Exception failure, boolean isAgain) {
    /** Of a move that is at its end, whoever ended it. */
    static Result ended(MoveQueue.Waiting tried) {
      return new Result(tried, -1, new IOException("it has ended"), false);
    }

    boolean isRefused() {
      return failure instanceof BusyDataNodeException;
    }

    /** Whether it counts as none. */
    boolean isHeldBack() {
      return isAgain && failure instanceof HeldBackException;
    }
  }

  /**
   * @param progress hears what the copy waits for
   */
  Result make(MoveQueue.Waiting one, Consumer<String> progress) {
    FileTask task = one.task();
    Move move = one.move();
    Optional<String> silent = nodes.silent(move);
    if (silent.isPresent()) {
      return given(one, new IOException(silent.get()));
    }
    if (task.isUnbegun(move)) {
      if (control.isEnding()) {
        task.endUnbegun(move, MoveState.CANCELLED, control.reason());
        return Result.ended(one);
      }
      Optional<String> excluded = nodes.excluded(move);
      if (excluded.isPresent()) {
        task.endUnbegun(move, MoveState.CANCELLED, excluded.get());
        return Result.ended(one);
      }
      try {
        if (!task.begin(move)) {
          return Result.ended(one);
        }
      } catch (RuntimeException e) {
        return unrecorded(one, e);
      }
    }
    if (task.isFinal(move)) {
      return Result.ended(one);
    }
    // To record it may have taken a while, and to set the policy may, too.
    if (!control.mayBegin()) {
      return halted(one);
    }
    Optional<String> objection = policies.objection(task.file());
    if (objection.isPresent()) {
      return withdrawn(one, objection.get());
    }
    try {
      progress.accept("setting its storage policy");
      policies.ensure(task.file());
    } catch (HeldBackException e) {
      return heldBack(one, e);
    } catch (UnrecordedException e) {
      return unrecorded(one, e);
    } catch (ChangedSinceException e) {
      return withdrawn(one, e.getMessage());
    } catch (IOException | RuntimeException e) {
      return given(one, e);
    } catch (InterruptedException e) {
      return interrupted(one, e);
    }
    if (!control.mayBegin()) {
      return halted(one);
    }
    long begin = nanos.getAsLong();
    try {
      progress.accept("asking for it");
      hdfs.copy(move, progress);
      long end = nanos.getAsLong();
      task.set(move, MoveState.COPIED, "");
      task.copiedAt(end);
      return new Result(one, end - begin, null, false);
    } catch (HeldBackException e) {
      return heldBack(one, e);
    } catch (IOException | RuntimeException e) {
      boolean isLast =
          one.attempt() >= attempts
              || e instanceof SlowCopyException
              || control.isEnding()
              || nodes.silent(move).isPresent()
              || nodes.excluded(move).isPresent();
      return isLast ? given(one, e) : new Result(one, -1, e, true);
    }
  }

  /** Somebody changed the file since the plan: what isn't copied yet stays, and without any copy its policy goes back. */
  private Result withdrawn(MoveQueue.Waiting one, String why) {
    FileTask task = one.task();
    try {
      if (!task.hasCopies(one.move())) {
        policies.giveBack(task.file());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: its storage policy can't be put back: {}", task.path(), e.toString());
    }
    task.set(one.move(), MoveState.OBSOLETE, why);
    return new Result(one, -1, new ChangedSinceException(why), false);
  }

  /** What an attempt comes to that gave no result: without one its plan would never end. */
  static Result brokenOff(MoveQueue.Waiting one) {
    String why = "the attempt broke off";
    if (one.task().isUnbegun(one.move())) {
      one.task().endUnbegun(one.move(), MoveState.CANCELLED, why);
    } else if (!one.task().isFinal(one.move())) {
      one.task().set(one.move(), MoveState.FAILED, why);
    }
    return new Result(one, -1, new IOException(why), false);
  }

  /** What can't be recorded isn't done; whoever steers holds the next attempt back until it can. */
  private Result unrecorded(MoveQueue.Waiting one, Exception e) {
    return one.attempt() < attempts ? new Result(one, -1, e, true) : given(one, e);
  }

  private Result given(MoveQueue.Waiting one, Exception cause) {
    if (one.task().isUnbegun(one.move())) {
      one.task()
          .endUnbegun(one.move(), MoveState.OBSOLETE, cause.getMessage() + ": to be planned anew");
    } else if (!one.task().isFinal(one.move())) {
      giveUp(one.task(), one.move(), cause);
    }
    return new Result(one, -1, cause, false);
  }

  /** Again when it may be; where it won't be any more, never. */
  private Result halted(MoveQueue.Waiting one) {
    if (control.isEnding()) {
      return given(one, new IOException(control.reason()));
    }
    return new Result(one, -1, new HeldBackException(control.reason()), true);
  }

  /** Again once whoever watches the cluster finds that it may; unless all is to end. */
  private Result heldBack(MoveQueue.Waiting one, HeldBackException e) {
    if (control.isEnding() || one.heldBack() >= MOST_HELD_BACK) {
      return given(one, e);
    }
    control.hold(ClusterWatch.MOVER, e.getMessage());
    return new Result(one, -1, e, true);
  }

  private static Result interrupted(MoveQueue.Waiting one, InterruptedException e) {
    Thread.currentThread().interrupt();
    one.task().set(one.move(), MoveState.FAILED, "interrupted");
    return new Result(one, -1, e, false);
  }

  /** An attempt may have copied although its answer was lost, so HDFS has the last word. */
  private void giveUp(FileTask task, Move move, Exception cause) {
    try {
      Optional<FileView> now = hdfs.file(task.path());
      if (now.isEmpty() || !MoveCheck.hasBlock(move, now.get())) {
        task.set(move, MoveState.OBSOLETE, "the file changed or went away");
      } else if (MoveCheck.missing(move, now.get()).isEmpty()) {
        task.set(move, MoveState.VERIFIED, "");
      } else if (MoveCheck.isShown(move, now.get())) {
        task.copiedAt(nanos.getAsLong());
        task.set(move, MoveState.VISIBLE, "");
      } else {
        task.set(move, MoveState.FAILED, FailureText.of(cause));
      }
    } catch (IOException e) {
      task.set(move, MoveState.FAILED, FailureText.of(cause));
    }
  }
}
