// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.ActionChange;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Begins the actions of a plan and looks at HDFS until it shows their result. What isn't shown before its
 * deadline is taken back. One plan at a time, by the calling thread.
 *
 * <p>DataNodes copy at their own and the NameNode's pace; here no more files are begun than copies may be under way.
 */
public final class ActionExecutor {

  private final ActionCalls hdfs;
  private volatile ActLimits limits;
  private final LongSupplier nanos;
  private final Pause pause;
  private final ActionRecord lasting;
  private final ExecutionControl control;

  /** One that was begun. */
  private static final class Awaited {
    private final ActionChange change;
    private final long begunNanos;

    /** What HDFS didn't show at the last look. */
    private String missing = "";

    Awaited(ActionChange change, long begunNanos) {
      this.change = change;
      this.begunNanos = begunNanos;
    }
  }

  /**
   * @param machinery whose copying threads are not needed
   */
  public ActionExecutor(
      ActionCalls hdfs, ActLimits limits, PlanExecutor.Machinery machinery, ActionRecord record) {
    this.hdfs = hdfs;
    this.limits = limits;
    this.nanos = machinery.nanos();
    this.pause = machinery.pause();
    this.control = machinery.control();
    this.lasting = record;
  }

  /** Goes on within other limits, also with what is under way. */
  public void limit(ActLimits next) {
    limits = next;
  }

  /** Returns when every change is at its end. */
  public void execute(List<ActionChange> changes) throws InterruptedException {
    try {
      pullAll(changes);
    } finally {
      control.watch().waitsFor("");
      control.beside().running(0);
    }
  }

  private void pullAll(List<ActionChange> changes) throws InterruptedException {
    Deque<ActionChange> waiting = new ArrayDeque<>(changes);
    List<Awaited> awaited = new ArrayList<>();
    while (!waiting.isEmpty() || !awaited.isEmpty()) {
      if (control.isEnding()) {
        waiting.forEach(change -> lasting.ended(change, control.reason()));
        waiting.clear();
      }
      if (control.isAbandoning()) {
        awaited.forEach(one -> lasting.ended(one.change, "not waited for: " + control.reason()));
        return;
      }
      while (!waiting.isEmpty() && awaited.size() < limits.copies() && control.mayBegin()) {
        ActionChange next = waiting.poll();
        if (begin(next)) {
          awaited.add(new Awaited(next, nanos.getAsLong()));
          control.beside().running(awaited.size());
        }
      }
      awaited.removeIf(this::isAtItsEnd);
      control.beside().running(awaited.size());
      if (!awaited.isEmpty()) {
        control
            .watch()
            .waitsFor(
                "HDFS to show other replicas, or copies in memory, of "
                    + awaited.size()
                    + " files");
        pause.pause(limits.verifyEvery());
      } else if (!waiting.isEmpty()) {
        control.awaitTurn();
      }
    }
  }

  /** False where it is at its end at once. */
  private boolean begin(ActionChange change) {
    try {
      Optional<FileView> now = hdfs.file(change.path());
      if (now.isEmpty() || !isAsPlanned(change.file(), now.get())) {
        lasting.ended(change, "the file changed or went away");
        return false;
      }
      apply(change);
      return true;
    } catch (IOException | RuntimeException e) {
      lasting.ended(change, FailureText.of(e));
      return false;
    }
  }

  private static boolean isAsPlanned(FileView planned, FileView now) {
    return planned.replication() == now.replication()
        && planned.blocks().stream()
            .map(FileView.Block::id)
            .toList()
            .equals(now.blocks().stream().map(FileView.Block::id).toList());
  }

  private void apply(ActionChange change) throws IOException {
    String path = change.path();
    int factor = change.file().replication();
    int target = change.decision().target().replication();
    switch (change.decision().cause()) {
      case CACHED -> {
        int copies = change.decision().target().cached();
        lasting.cached(path, copies);
        removeDirective(path);
        hdfs.cache(path, copies, directive -> lasting.made(path, directive));
      }
      case UNCACHED -> uncache(path);
      case MORE_COPIES -> {
        lasting.replication(path, factor, target);
        try {
          hdfs.setReplication(path, target, factor);
        } catch (ChangedSinceException e) {
          // It isn't up.
          lasting.replication(path, target, factor);
          throw e;
        }
      }
      case FEWER_COPIES -> {
        hdfs.setReplication(path, target, factor);
        lasting.replication(path, factor, target);
      }
      default -> throw new IllegalArgumentException(change.decision().cause() + " is no action");
    }
  }

  private void uncache(String path) throws IOException {
    removeDirective(path);
    lasting.cached(path, 0);
  }

  /** HDFS still lists one whose time is over. */
  private void removeDirective(String path) throws IOException {
    Optional<ActionCalls.Directive> ours = lasting.directive(path);
    if (ours.isPresent()) {
      hdfs.uncache(path, ours.get());
    }
  }

  private boolean isAtItsEnd(Awaited awaited) {
    ActionChange change = awaited.change;
    String missing;
    try {
      missing = missing(change);
    } catch (IOException | RuntimeException e) {
      missing = FailureText.of(e);
    }
    if (missing.isEmpty()) {
      lasting.ended(change, "");
      return true;
    }
    if (!missing.equals(awaited.missing)) {
      awaited.missing = missing;
      control.watch().progressed();
    }
    if (nanos.getAsLong() - awaited.begunNanos <= limits.verifyWithin().toNanos()) {
      return false;
    }
    if (!control.mayBegin() && !control.isEnding()) {
      // What it would take back waits its turn, as all that changes HDFS.
      return false;
    }
    lasting.ended(
        change,
        missing + " within " + limits.verifyWithin().toSeconds() + " s" + takenBack(change));
    return true;
  }

  /** What HDFS doesn't show yet; empty where it shows all. */
  private String missing(ActionChange change) throws IOException {
    Decision.Cause cause = change.decision().cause();
    if (cause == Decision.Cause.UNCACHED) {
      return "";
    }
    if (cause == Decision.Cause.CACHED) {
      Optional<ActionCalls.Directive> ours = lasting.directive(change.path());
      Optional<ActionCalls.Cached> now =
          ours.isEmpty() ? Optional.empty() : hdfs.cached(change.path(), ours.get());
      if (now.isEmpty()) {
        return "our cache directive is gone, or somebody changed it";
      }
      return now.get().isWhole()
          ? ""
          : now.get().bytes()
              + " of "
              + now.get().needed()
              + " bytes came into memory (dfs.datanode.max.locked.memory of the DataNodes that have the"
              + " blocks is 0, or full)";
    }
    int target = change.decision().target().replication();
    Optional<FileView> now = hdfs.file(change.path());
    if (now.isEmpty()) {
      return "the file went away";
    }
    long others =
        now.get().blocks().stream().filter(block -> block.replicas().size() != target).count();
    return others == 0 ? "" : others + " blocks don't have " + target + " replicas";
  }

  /** What went up and didn't get there goes down again, so that it takes nothing and is tried anew. */
  private String takenBack(ActionChange change) {
    if (!control.mayBegin()) {
      return "; not taken back: " + control.reason();
    }
    try {
      if (change.decision().cause() == Decision.Cause.CACHED) {
        uncache(change.path());
        return "; taken back";
      }
      if (change.decision().cause() == Decision.Cause.MORE_COPIES) {
        int before = change.file().replication();
        Optional<FileView> now = hdfs.file(change.path());
        if (now.isEmpty() || now.get().replication() != change.decision().target().replication()) {
          return "; not taken back: somebody changed the file since";
        }
        hdfs.setReplication(change.path(), before, change.decision().target().replication());
        lasting.replication(change.path(), change.decision().target().replication(), before);
        return "; taken back";
      }
      return "";
    } catch (IOException | RuntimeException e) {
      return "; could not be taken back: " + FailureText.of(e);
    }
  }
}
