// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.PlanSteps;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.app.records.PastReviews;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.PlanSpace;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.review.PlanState;
import io.thermocline.tiering.review.PlanStore;
import io.thermocline.tiering.review.PlannedFile;
import io.thermocline.tiering.review.RefusedException;
import io.thermocline.tiering.review.StoredPlan;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Where plans lie until they are carried out: at once, or when people have approved them, one
 * after the other by the thread that plans.
 */
public final class PlanQueue implements PlanSteps {

  private static final String SERVICE = "the service";

  private final ServiceConfig.Act act;
  private final PlanHandler handler;
  private final PlanStore store;
  private final Tasks tasks;
  private final BlockingQueue<Optional<Begun>> begun = new LinkedBlockingQueue<>();

  /** Plans that somebody ended after they were begun, with the words; guarded by itself. */
  private final Map<Long, String> cancelled = new HashMap<>();

  /** The number of the plan that is being carried out; 0 where none is; guarded by {@link #cancelled}. */
  private long current;

  /** A plan to be carried out, with its task. */
  private record Begun(StoredPlan plan, Tasks.Running task, MoveCounts moves) {}

  private PlanQueue(ServiceConfig.Act act, PlanHandler handler, PlanStore store, Tasks tasks) {
    this.act = act;
    this.handler = handler;
    this.tasks = tasks;
    this.store = store;
  }

  /** With the plans that a journal has. */
  public static PlanQueue of(
      ServiceConfig.Act act, PlanHandler handler, Journal journal, Tasks tasks, Clock clock) {
    PlanStore store =
        new PlanStore(
            PastReviews.of(journal.plans()),
            act.review().approval().people(),
            act.review().within(),
            clock,
            (plan, who, why) ->
                Journals.record(
                    journal,
                    new JournalEntry.PlanChanged(
                        clock.instant().toString(),
                        plan.number(),
                        plan.state().name(),
                        who,
                        why,
                        plan.moves(),
                        plan.bytes(),
                        PastReviews.details(plan))));
    return new PlanQueue(act, handler, store, tasks);
  }

  /** Of a service that makes no plans. */
  public static PlanQueue empty(ServiceConfig.Act act, PlanHandler handler, Clock clock) {
    PlanStore store =
        new PlanStore(
            List.of(),
            act.review().approval().people(),
            act.review().within(),
            clock,
            (plan, who, why) -> {});
    return new PlanQueue(act, handler, store, new Tasks(clock));
  }

  public PlanStore store() {
    return store;
  }

  public Tasks tasks() {
    return tasks;
  }

  /**
   * Takes a plan that was made now; where nobody has to approve it, returns when it was carried
   * out.
   */
  public void made(Plan plan, ClusterView cluster) throws IOException, InterruptedException {
    Taken taken = take(plan, "", cluster);
    if (taken.begun().isPresent()) {
      carryOut(taken.begun().get());
    }
  }

  /**
   * The same for a plan that somebody asked for; where nobody has to approve it, {@link #await} carries it out next.
   *
   * @param note who asked for it, and why
   * @param cluster that it was made for
   * @return the plan; empty where it does nothing
   */
  public Optional<StoredPlan> ordered(Plan plan, String note, ClusterView cluster)
      throws IOException, InterruptedException {
    Taken taken = take(plan, note, cluster);
    taken.begun().map(Optional::of).ifPresent(begun::add);
    return taken.stored();
  }

  /** A plan as it is kept, and what is to be carried out of it now. */
  private record Taken(Optional<StoredPlan> stored, Optional<Begun> begun) {}

  private Taken take(Plan plan, String note, ClusterView cluster)
      throws IOException, InterruptedException {
    List<PlanSpace> space = PlanSpace.of(plan, cluster);
    if (!act.changes()) {
      Optional<StoredPlan> said = store.made(plan, PlanState.REPORTED, note, space);
      handler.handle(plan);
      return new Taken(said, Optional.empty());
    }
    boolean atOnce = act.review().approval() == ServiceConfig.Approval.NONE;
    Optional<StoredPlan> stored =
        store.made(plan, atOnce ? PlanState.APPROVED : PlanState.WAITING, note, space);
    if (!atOnce || stored.isEmpty() || !handler.control().mayBegin()) {
      return new Taken(stored, Optional.empty());
    }
    try {
      Begun next = begin(stored.get().number(), "", "act.approval: none");
      return new Taken(Optional.of(next.plan()), Optional.of(next));
    } catch (RefusedException e) {
      throw new IllegalStateException("nobody else begins or discards it in between", e);
    }
  }

  /**
   * Lists a plan that took another one back, which nobody else may carry out.
   *
   * @param files that were begun of it
   */
  public void undone(UndoResult result, List<PlannedFile> files, String who, String why)
      throws IOException {
    if (result.number() > 0) {
      store.undone(result.number(), words(result, who, why), files, result.moves());
    }
  }

  private static String words(UndoResult result, String who, String why) {
    return "takes back plan %d for %s: %s%s"
        .formatted(
            result.plan(),
            who,
            why,
            result.refused().isEmpty()
                ? ""
                : "; left unchanged: " + Quantities.count(result.refused().size(), "file"));
  }

  @Override
  public StoredPlan cancel(long number, String who, String why)
      throws RefusedException, IOException {
    // Its end waits for this lock: a plan that is RUNNING here is still to be ended, or under way.
    synchronized (cancelled) {
      StoredPlan plan = store.cancel(number, who, why);
      if (plan.state() == PlanState.RUNNING) {
        cancelled.put(number, "plan " + number + " is " + plan.note());
        if (current == number) {
          handler.control().cancelPlan(cancelled.get(number));
        }
      }
      return plan;
    }
  }

  /** Where somebody discarded it in between, it is refused. */
  @Override
  public long carryOut(long number, String who, String why)
      throws RefusedException, ApiException, IOException {
    if (!handler.control().mayBegin()) {
      throw new ApiException(
          ErrorCode.NOT_NOW,
          "nothing may be begun: " + handler.control().reason(),
          "control",
          "resume first");
    }
    Begun next = begin(number, who, why);
    begun.add(Optional.of(next));
    return next.task().id();
  }

  private Begun begin(long number, String who, String why) throws RefusedException, IOException {
    StoredPlan plan = store.begin(number, who, why);
    MoveCounts moves = new MoveCounts();
    try {
      Tasks.Running task =
          tasks.begin(
              new Tasks.Asked("plan " + number, who.isEmpty() ? SERVICE : who, why),
              () -> moves.progress(plan.plan().map(Plan::moves).orElse(List.of()).size()));
      return new Begun(plan, task, moves);
    } catch (IOException e) {
      store.end(number, PlanState.INTERRUPTED, e.getMessage());
      throw e;
    }
  }

  /**
   * Carries out the plan that somebody wants carried out, should one come within this time.
   *
   * @return whether one came; false also after {@link #wake}
   */
  public boolean await(long nanos) throws IOException, InterruptedException {
    Optional<Begun> next = begun.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    if (next == null || next.isEmpty()) {
      return false;
    }
    carryOut(next.get());
    return true;
  }

  /** Ends the wait, for the service's end or for a plan that shall be made at once. */
  public void wake() {
    begun.add(Optional.empty());
  }

  /** Whether a plan is being carried out at this moment. */
  public boolean isUnderWay(long number) {
    synchronized (cancelled) {
      return current == number;
    }
  }

  private void carryOut(Begun next) throws IOException, InterruptedException {
    String failure = "interrupted";
    handler.countIn(next.moves());
    synchronized (cancelled) {
      current = next.plan().number();
      handler.control().cancelPlan(cancelled.getOrDefault(current, ""));
    }
    try {
      handler.handle(next.plan().plan().orElseThrow());
      failure = handler.control().isEnding() ? handler.control().reason() : "";
    } catch (IOException | RuntimeException e) {
      failure = CommandLines.explain(e);
      throw e;
    } finally {
      end(next, failure);
    }
  }

  private void end(Begun next, String failure) throws IOException {
    ServiceStatus.Moves moves = next.moves().snapshot();
    String result =
        String.format(
            Locale.ROOT,
            "%d of %d moves done, %d failed, %d dropped%s%s",
            moves.verified() + moves.running(),
            next.plan().plan().map(Plan::moves).orElse(List.of()).size(),
            moves.failed(),
            moves.dropped(),
            next.moves().changes(),
            failure.isEmpty() ? "" : "; " + failure);
    boolean done = failure.isEmpty();
    synchronized (cancelled) {
      try {
        store.end(next.plan().number(), done ? PlanState.DONE : PlanState.INTERRUPTED, result);
      } finally {
        current = 0;
        cancelled.remove(next.plan().number());
        handler.control().cancelPlan("");
      }
    }
    next.task().end(done && moves.failed() == 0 ? Tasks.State.DONE : Tasks.State.FAILED, result);
  }
}
