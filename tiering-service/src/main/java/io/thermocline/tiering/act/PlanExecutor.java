// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/**
 * Carries out a plan: sets the policy of each file, has its replicas copied within the limits, and
 * looks at HDFS until it shows each of them where it should be. One plan at a time.
 *
 * <p>Copying threads copy; the calling thread verifies. A move that can't be shown before its deadline
 * has failed and is left as it is: the next plan is made from what HDFS then shows.
 */
public final class PlanExecutor {

  private final HdfsActions hdfs;
  private final ActLimits limits;
  private final ExecutorService copiers;
  private final NodeLimits nodes;
  private final LongSupplier nanos;
  private final Pause pause;
  private final PolicyListener policies;
  private final Steering steering;
  private final Set<String> directoriesSet = new HashSet<>();

  /** Hears of every storage policy before it is set. */
  @FunctionalInterface
  public interface PolicyListener {
    void willSet(String path, String policy) throws IOException;
  }

  /** What binds the executor to time, threads and people: a monotonic clock, waiting, who copies, who steers. */
  public record Machinery(
      ExecutorService copiers, LongSupplier nanos, Pause pause, Steering steering) {

    /** That nobody steers. */
    public Machinery(ExecutorService copiers, LongSupplier nanos, Pause pause) {
      this(copiers, nanos, pause, Steering.running(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)));
    }
  }

  public PlanExecutor(
      HdfsActions hdfs, ActLimits limits, Machinery machinery, PolicyListener policies) {
    this.hdfs = hdfs;
    this.limits = limits;
    this.copiers = machinery.copiers();
    this.nodes = new NodeLimits(limits.copiesPerNode());
    this.nanos = machinery.nanos();
    this.pause = machinery.pause();
    this.steering = machinery.steering();
    this.policies = policies;
  }

  /** Returns when every move of the plan is at its end. */
  public void execute(Plan plan, MoveListener listener) throws InterruptedException {
    BlockingQueue<FileTask> copied = new LinkedBlockingQueue<>();
    List<FileTask> tasks = new ArrayList<>();
    List<FileTask> awaiting = new ArrayList<>();
    int running = 0;
    synchronized (directoriesSet) {
      directoriesSet.clear();
    }
    for (Plan.FileMoves file : plan.files()) {
      FileTask task = new FileTask(file, listener);
      tasks.add(task);
      submit(task, copied);
      running++;
    }
    while (running > 0) {
      if (steering.isAbandoning()) {
        tasks.forEach(task -> task.abandon(steering.reason()));
        return;
      }
      copied.drainTo(awaiting);
      List<FileTask> settled = new ArrayList<>();
      Look look = look(awaiting);
      for (FileTask task : awaiting) {
        if (verify(task, look)) {
          settled.add(task);
        }
      }
      awaiting.removeAll(settled);
      for (FileTask task : settled) {
        if (task.nextRound()) {
          submit(task, copied);
        } else {
          running--;
        }
      }
      if (running > 0) {
        pause.pause(limits.verifyEvery());
      }
    }
  }

  private void submit(FileTask task, BlockingQueue<FileTask> copied) {
    copiers.execute(
        () -> {
          try {
            copyRound(task);
          } finally {
            task.roundCopied(nanos.getAsLong());
            copied.add(task);
          }
        });
  }

  private void copyRound(FileTask task) {
    try {
      if (!steering.awaitTurn()) {
        task.endUnbegun(MoveState.CANCELLED, steering.reason());
        return;
      }
      Optional<FileView> now = hdfs.file(task.path());
      if (now.isEmpty() || !task.isUnchangedIn(now.get())) {
        task.endUnbegun(MoveState.OBSOLETE, "the file changed or went away");
        return;
      }
      if (task.isFirstRound()) {
        setPolicy(task.file());
      }
    } catch (IOException | RuntimeException e) {
      failUnbegun(task, e.toString());
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      task.endUnbegun(MoveState.CANCELLED, "interrupted");
      return;
    }
    for (Move move : task.open()) {
      copy(task, move);
    }
  }

  /** On a directory once in a plan; whoever moves a file of it waits until it is set. */
  private void setPolicy(Plan.FileMoves file) throws IOException {
    String path = file.policyPath();
    if (path.equals(file.path())) {
      setPolicy(path, file.storagePolicy());
      return;
    }
    synchronized (directoriesSet) {
      if (!directoriesSet.contains(path)) {
        setPolicy(path, file.storagePolicy());
        directoriesSet.add(path);
      }
    }
  }

  private void setPolicy(String path, String policy) throws IOException {
    // Recorded first: a policy that is set and not recorded would pass for somebody else's.
    policies.willSet(path, policy);
    hdfs.setStoragePolicy(path, policy);
  }

  private static void failUnbegun(FileTask task, String why) {
    for (Move move : task.open()) {
      task.set(move, MoveState.COPYING, "");
      task.set(move, MoveState.FAILED, why);
    }
    task.endUnbegun(MoveState.OBSOLETE, why);
  }

  private void copy(FileTask task, Move move) {
    Duration wait = limits.retryAfter();
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          if (!copyOnce(task, move)) {
            return;
          }
          break;
        } catch (IOException | RuntimeException e) {
          if (attempt == limits.attempts() || steering.isEnding()) {
            giveUp(task, move, e);
            return;
          }
        }
        pause.pause(wait);
        wait = wait.multipliedBy(2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      task.interrupted(move);
      return;
    }
    task.set(move, MoveState.COPIED, "");
  }

  /** False where it was cancelled before its first attempt. */
  private boolean copyOnce(FileTask task, Move move) throws IOException, InterruptedException {
    nodes.acquire(move.source().node(), move.targetNode());
    try {
      // Asked last: what is waited for above may take long.
      if (!steering.awaitTurn()) {
        if (task.isUnbegun(move)) {
          task.set(move, MoveState.CANCELLED, steering.reason());
          return false;
        }
        throw new IOException(steering.reason());
      }
      if (task.isUnbegun(move)) {
        task.set(move, MoveState.COPYING, "");
      }
      hdfs.copy(move);
      return true;
    } finally {
      nodes.release(move.source().node(), move.targetNode());
    }
  }

  /** An attempt may have copied although its answer was lost, so HDFS has the last word. */
  private void giveUp(FileTask task, Move move, Exception cause) {
    try {
      Optional<FileView> now = hdfs.file(task.path());
      if (now.isEmpty() || !task.isUnchangedIn(now.get())) {
        task.set(move, MoveState.OBSOLETE, "the file changed or went away");
      } else if (FileTask.isShown(move, now.get())) {
        task.set(move, MoveState.VERIFIED, "");
      } else {
        task.set(move, MoveState.FAILED, cause.toString());
      }
    } catch (IOException e) {
      task.set(move, MoveState.FAILED, cause.toString());
    }
  }

  /** A file as HDFS shows it now. */
  @FunctionalInterface
  private interface Look {
    Optional<FileView> at(String path) throws IOException;
  }

  /** At all of them in a few calls; where that fails, one by one, so that none is in the way of others. */
  private Look look(List<FileTask> tasks) {
    try {
      List<String> open =
          tasks.stream().filter(task -> !task.open().isEmpty()).map(FileTask::path).toList();
      Map<String, FileView> shown = hdfs.files(open);
      return path -> Optional.ofNullable(shown.get(path));
    } catch (IOException e) {
      return hdfs::file;
    }
  }

  /** True when the task's round is at its end. */
  private boolean verify(FileTask task, Look look) {
    List<Move> open = task.open();
    if (open.isEmpty()) {
      return true;
    }
    boolean late = nanos.getAsLong() - task.copiedAtNanos() > limits.verifyWithin().toNanos();
    String why = "not shown within " + limits.verifyWithin().toSeconds() + " s";
    try {
      Optional<FileView> now = look.at(task.path());
      if (now.isEmpty() || !task.isUnchangedIn(now.get())) {
        open.forEach(move -> task.set(move, MoveState.OBSOLETE, "the file changed or went away"));
        return true;
      }
      for (Move move : open) {
        if (FileTask.isShown(move, now.get())) {
          task.set(move, MoveState.VERIFIED, "");
        }
      }
    } catch (IOException e) {
      why = e.toString();
    }
    if (late) {
      for (Move move : task.open()) {
        task.set(move, MoveState.FAILED, why);
      }
    }
    return task.open().isEmpty();
  }
}
