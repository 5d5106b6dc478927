// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One plan being carried out. Copies and looks are made by the copying threads; what comes of
 * them are events, which the thread that runs the plan takes one after the other: so nothing
 * here needs a lock, and no look keeps copies waiting.
 */
final class PlanRun {

  /** Files that are looked at in one go before their copies begin: some few listings. */
  private static final int FILES_AT_ONCE = 500;

  private static final Duration FIRST_LOOK = Duration.ofMillis(20);
  private static final Duration LONGEST_REST = Duration.ofMillis(100);

  /** What is waited for is said in time for {@link PlanWatch} to show it. */
  private static final Duration SAID_AFTER = PlanWatch.SHOWN_AFTER.dividedBy(2);

  /** Beyond the longest that a move may wait for anything. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(PlanRun.class);

  private final Parts parts;
  private final ActLimits limits;
  private final Pacing pacing;
  private final List<FileTask> tasks = new ArrayList<>();
  private final Deque<FileTask> unchecked;
  private final MoveQueue queue = new MoveQueue();
  private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final Set<FileTask> awaiting = new LinkedHashSet<>();
  private final Cadence cadence;
  private final long beganNanos;
  private final PlanWatch watch;
  private final Map<MoveQueue.Waiting, Underway> copying = new LinkedHashMap<>();
  private boolean isStirred;
  private boolean isChecking;
  private boolean isLooking;
  private boolean isHeld;
  private String lastFailure = "";

  /** Files with copies that are made, and with others that may not begin. They come to awaiting with their last copy. */
  private final List<FileTask> held = new ArrayList<>();

  /** Files of this round that aren't at its end. */
  private final Set<FileTask> open = new HashSet<>();

  /** What works for the run. */
  record Parts(
      HdfsCalls hdfs,
      Verifier verifier,
      NodeLimits nodes,
      PolicySetter policies,
      CopyAttempt attempt,
      PlanExecutor.Machinery machinery) {}

  /** What a copy waits for, as the thread that makes it says. */
  private static final class Underway {
    private final long beganNanos;
    private volatile String waitsFor = "waiting for a thread";

    Underway(long beganNanos) {
      this.beganNanos = beganNanos;
    }
  }

  PlanRun(Plan plan, MoveListener listener, Parts parts, ActLimits limits, Pacing pacing) {
    this.parts = parts;
    this.limits = limits;
    this.pacing = pacing;
    for (Plan.FileMoves file : plan.files()) {
      tasks.add(new FileTask(file, listener));
    }
    this.unchecked = new ArrayDeque<>(tasks);
    this.beganNanos = now();
    this.watch = parts.machinery().control().watch();
    this.cadence = new Cadence(FIRST_LOOK, limits.verifyEvery(), beganNanos);
  }

  /**
   * @return files with copies that clients are shown, and sources that may not have gone yet
   */
  List<FileTask> run() throws InterruptedException {
    try {
      return toItsEnd();
    } catch (RuntimeException | Error e) {
      // Else its moves would be under way for ever, and its copies count against those of other
      // plans.
      abandon("the run broke off: " + FailureText.of(e));
      throw e;
    }
  }

  private List<FileTask> toItsEnd() throws InterruptedException {
    ExecutionControl control = parts.machinery().control();
    while (!isOver()) {
      if (control.isAbandoning()) {
        return abandon(control.reason());
      }
      if (isStalled()) {
        String why = "nothing has happened for " + watch.silence().toSeconds() + " s";
        LOG.warn("the plan's run is ended: {}; it waits for {}", why, waitsFor());
        return abandon(why);
      }
      if (control.isEnding()) {
        endUnbegun(MoveState.CANCELLED, control.reason());
        // It is given up, which needs no back-off.
        queue.waitForNoTime();
      } else if (now() - beganNanos > pacing.beginWithin().toNanos()) {
        endUnbegun(
            MoveState.OBSOLETE,
            "not begun within " + pacing.beginWithin().toSeconds() + " s: to be planned anew");
      }
      takeEvents();
      noteHeld();
      look();
      if (mayCheck()) {
        check();
      }
      // What was tried before is given up in its turn where nothing may begin any more.
      if (control.mayBegin() || control.isEnding()) {
        beginCopies();
      }
      if (!isOver()) {
        rest();
      }
    }
    watch.waitsFor("");
    return tasks.stream().filter(task -> !task.isSettled()).toList();
  }

  private List<FileTask> abandon(String why) {
    for (FileTask task : tasks) {
      task.abandon(why);
    }
    copying.keySet().forEach(one -> parts.nodes().end(one.move(), now()));
    watch.waitsFor("");
    return List.of();
  }

  /** Whether nothing has happened for longer than any move may wait: by mistake, ours or somebody's. */
  private boolean isStalled() {
    ExecutionControl control = parts.machinery().control();
    watch.held(!control.mayBegin() && !control.isEnding());
    Duration silence = watch.silence();
    if (silence.compareTo(SAID_AFTER) > 0) {
      watch.waitsFor(waitsFor());
    }
    Duration longest =
        pacing.beginWithin().compareTo(limits.verifyWithin()) > 0
            ? pacing.beginWithin()
            : limits.verifyWithin();
    return silence.compareTo(longest.plus(MARGIN)) > 0;
  }

  /** What the run waits for, in words. */
  private String waitsFor() {
    List<String> words = new ArrayList<>();
    if (!copying.isEmpty()) {
      Map.Entry<MoveQueue.Waiting, Underway> first = copying.entrySet().iterator().next();
      words.add(
          "the copy of "
              + first.getKey().move().path()
              + " ("
              + Duration.ofNanos(now() - first.getValue().beganNanos).toSeconds()
              + " s, "
              + first.getValue().waitsFor
              + (copying.size() > 1 ? ") and " + (copying.size() - 1) + " more" : ")"));
    }
    if (queue.size() > 0) {
      words.add(
          "the next of "
              + queue.size()
              + " moves"
              + (lastFailure.isEmpty() ? "" : " (last failure: " + lastFailure + ")"));
    }
    if (!awaiting.isEmpty()) {
      words.add("HDFS to show the copies of " + awaiting.size() + " files");
    }
    if (isChecking || isLooking) {
      words.add("the NameNode's answer");
    }
    return String.join(", ", words);
  }

  /** What a look shows is recorded before the end. */
  private boolean isOver() {
    return unchecked.isEmpty() && open.isEmpty() && !isLooking;
  }

  private boolean mayCheck() {
    return !unchecked.isEmpty()
        && !isChecking
        && queue.size() < Math.max(FILES_AT_ONCE / 2, 2 * limits.copies())
        && parts.machinery().control().mayBegin();
  }

  private void endUnbegun(MoveState state, String why) {
    unchecked.clear();
    for (FileTask task : queue.removeUnbegun()) {
      task.endUnbegun(state, why);
      leaveOrAwait(task);
    }
    tasks.forEach(task -> task.endUnbegun(state, why));
  }

  /** Looks at the next files as they are now. */
  private void check() {
    List<FileTask> next = new ArrayList<>();
    while (!unchecked.isEmpty() && next.size() < FILES_AT_ONCE) {
      next.add(unchecked.poll());
    }
    open.addAll(next);
    isChecking = true;
    parts
        .machinery()
        .copiers()
        .execute(
            () -> {
              Map<String, Optional<FileView>> files = Map.of();
              try {
                files = parts.verifier().files(next);
              } finally {
                Map<String, Optional<FileView>> found = files;
                events.add(() -> checked(next, found));
              }
            });
  }

  /** Queues what may still be moved. */
  private void checked(List<FileTask> next, Map<String, Optional<FileView>> files) {
    isChecking = false;
    for (FileTask task : next) {
      Optional<FileView> now = files.get(task.path());
      for (Move move : task.in(MoveState.PLANNED)) {
        String objection = now == null ? "HDFS could not be asked" : objection(task, move, now);
        if (objection == null) {
          queue.add(new MoveQueue.Waiting(task, move, now()));
        } else {
          task.set(move, MoveState.OBSOLETE, objection);
        }
      }
      leaveOrAwait(task);
    }
  }

  private String objection(FileTask task, Move move, Optional<FileView> now) {
    if (now.isEmpty()) {
      return "the file changed or went away";
    }
    try {
      task.racks(move, MoveCheck.racks(move, now.get(), parts.hdfs()::rack));
      boolean isSetByUs =
          task.file().storagePolicy() == null || parts.policies().maySet(task.file());
      return !isSetByUs
              && MoveCheck.isPolicyOfOthers(task.file().decision().hot().file(), now.get())
          ? MoveCheck.POLICY_OF_OTHERS
          : MoveCheck.objection(move, now.get(), parts.hdfs()::rack).orElse(null);
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private void beginCopies() {
    MoveQueue.Waiting next = next();
    while (next != null) {
      MoveQueue.Waiting one = next;
      parts.nodes().begin(one.move(), now());
      Underway underway = new Underway(now());
      copying.put(one, underway);
      watch.progressed();
      parts
          .machinery()
          .copiers()
          .execute(
              () -> {
                try {
                  CopyAttempt.Result result =
                      parts.attempt().make(one, phase -> heard(underway, phase));
                  events.add(() -> take(result));
                } catch (RuntimeException | Error e) {
                  events.add(() -> take(CopyAttempt.brokenOff(one)));
                  throw e;
                }
              });
      next = next();
    }
  }

  private void heard(Underway underway, String phase) {
    underway.waitsFor = phase;
    watch.progressed();
  }

  private MoveQueue.Waiting next() {
    return parts.nodes().isFull()
        ? null
        : queue.next(now(), move -> parts.nodes().admits(move, now()));
  }

  private void takeEvents() {
    for (Runnable each = events.poll(); each != null; each = events.poll()) {
      each.run();
    }
  }

  private void take(CopyAttempt.Result result) {
    MoveQueue.Waiting tried = result.tried();
    copying.remove(tried);
    parts.nodes().end(tried.move(), now());
    if (result.failure() == null) {
      parts.nodes().copied(tried.move(), result.tookNanos(), now());
    }
    if (result.isRefused()) {
      parts.nodes().refused(tried.move(), now());
    }
    if (result.failure() != null) {
      lastFailure = result.failure().toString();
    }
    if (result.isAgain()) {
      int held = result.isHeldBack() ? 1 : 0;
      queue.add(
          new MoveQueue.Waiting(
              tried.task(),
              tried.move(),
              Math.max(2, tried.attempt() + 1 - held),
              tried.heldBack() + held,
              now() + limits.pauseAfter(tried.attempt()).toNanos()));
    } else {
      leaveOrAwait(tried.task());
    }
  }

  /** A file is looked at with all its copies made, but not where some of them may not begin: who knows for how long. */
  private void noteHeld() {
    boolean wasHeld = isHeld;
    isHeld = copying.isEmpty() && !parts.machinery().control().mayBegin();
    if (isHeld && !wasHeld) {
      held.addAll(tasks);
      held.removeIf(task -> task.isCopied() || task.copied().isEmpty());
    } else if (!isHeld) {
      held.clear();
    }
  }

  /**
   * While copies are made, many files at a time: a look at few costs the NameNode almost as
   * much. With the last copies made, soon.
   */
  private void look() {
    if (isLooking) {
      return;
    }
    if (awaiting.size() >= FILES_AT_ONCE || copying.isEmpty() && queue.size() == 0 && isStirred) {
      cadence.stir(now());
      isStirred = false;
    }
    if (awaiting.isEmpty() && held.isEmpty() || cadence.nanosUntilDue(now()) > 0) {
      return;
    }
    Set<FileTask> at = new LinkedHashSet<>(awaiting);
    held.removeIf(task -> task.copied().isEmpty());
    at.addAll(held);
    if (at.isEmpty()) {
      return;
    }
    isLooking = true;
    parts
        .machinery()
        .copiers()
        .execute(
            () -> {
              long begin = now();
              boolean[] sawChange = new boolean[1];
              try {
                sawChange[0] = parts.verifier().look(at);
              } finally {
                long end = now();
                events.add(() -> looked(at, begin, end, sawChange[0]));
              }
            });
  }

  private void looked(Set<FileTask> at, long begin, long end, boolean sawChange) {
    isLooking = false;
    at.stream().filter(awaiting::contains).forEach(this::leaveOrAwait);
    // What the next look takes of the time is what is left to look at.
    long next = (long) ((end - begin) * Math.min(1, (double) awaiting.size() / at.size()));
    cadence.looked(end - next, end, sawChange && copying.isEmpty());
  }

  /**
   * Files whose copies clients are shown are done here; those with another round go on once the
   * sources are gone. Those with copies that are still to be made come back.
   */
  private void leaveOrAwait(FileTask task) {
    // The thread that copies has said so a moment before we hear of it: each file leaves once.
    if (!task.isCopied() || copying.keySet().stream().anyMatch(one -> one.task() == task)) {
      return;
    }
    if (!(task.isLastRound() ? task.isShown() : task.isSettled())) {
      isStirred |= awaiting.add(task);
      return;
    }
    awaiting.remove(task);
    // What ended while it waited for its next attempt comes here once more.
    if (open.remove(task) && !task.isLastRound()) {
      task.nextRound();
      unchecked.add(task);
    }
  }

  private void rest() throws InterruptedException {
    long now = now();
    if (mayCheck()) {
      return;
    }
    // Whoever stops it is heard soon, whatever it waits for.
    long wait = LONGEST_REST.toNanos();
    if (!awaiting.isEmpty() && !isLooking) {
      wait = Math.min(wait, cadence.nanosUntilDue(now));
    }
    if (queue.size() > 0) {
      wait = Math.min(wait, nanosUntilNext(now));
    }
    if (copying.isEmpty() && !isLooking && !isChecking && events.isEmpty()) {
      parts.machinery().pause().pause(Duration.ofNanos(Math.max(1, wait)));
      return;
    }
    Runnable first = events.poll(wait, TimeUnit.NANOSECONDS);
    if (first != null) {
      first.run();
    }
  }

  /** What bandwidth keeps waiting begins when it is due, not with all that are due soon. */
  private long nanosUntilNext(long now) {
    return queue
        .nanosUntilNext(now, move -> parts.nodes().nanosUntil(move, now))
        .orElse(Long.MAX_VALUE);
  }

  private long now() {
    return parts.machinery().nanos().getAsLong();
  }
}
