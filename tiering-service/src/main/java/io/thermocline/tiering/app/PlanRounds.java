// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.PlanWatch;
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.api.History;
import io.thermocline.tiering.api.PlanOrders;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.app.records.Recovery;
import io.thermocline.tiering.cluster.NamespaceView;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.MoveOrder;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.review.PlanState;
import io.thermocline.tiering.review.StoredPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one plan after the other, has each carried out, and keeps what the last one was made of. One thread runs rounds; all else
 * is for any thread.
 */
final class PlanRounds {

  private static final Logger LOG = LoggerFactory.getLogger(PlanRounds.class);

  /** Files of a move that are shown. */
  private static final int SHOWN = 100;

  /** Fewer that break off may be chance. */
  private static final int FAILING_AFTER = 3;

  /** From then on the service isn't ready, unless the last round took about as long. */
  private static final Duration STALLED_AFTER = Duration.ofMinutes(10);

  private final ServiceRuntime runtime;

  /** All of the configuration that is in force; null before {@link #observe}. */
  private volatile Observing observing;

  private volatile ReadOrders readOrders;
  private volatile ServedCheck served;
  private final History history;
  private final FirstPartTasks firstParts;

  /** Reads of the service's own user that the log was told of last; the planning thread's. */
  private long saidUncounted;

  private volatile PlanningRound.Outcome last;
  private volatile long plans;
  private volatile long failures;
  private volatile String message = "starting";
  private volatile String readOrder = "";

  /** What the round under way is at; null between rounds. */
  private volatile Step step;

  private volatile long planningNanos;

  /** Rounds that broke off, since the last that didn't. */
  private volatile int failedInRow;

  /** @param nanos when it began, monotonic */
  private record Step(String words, long nanos) {}

  PlanRounds(ServiceConfig config, ServiceRuntime runtime) {
    this.runtime = runtime;
    this.firstParts = new FirstPartTasks(runtime.clock());
    this.history = new History(config.checkpoint().resolve("charts.json"));
  }

  /** From now on plans are made of what these know. */
  void observe(Observing from, ReadOrders orders, ServedCheck check) {
    observing = from;
    readOrders = orders;
    served = check;
    saidUncounted = 0;
  }

  /** Those that were watched under another configuration are watched no more. */
  void forgetFirstParts() {
    firstParts.end("another configuration was taken up before its reads were known");
  }

  /** Plans, unless too much of what the NameNodes did is unknown, and acts on it. */
  void run(Acting acting, ServiceMetrics metrics) throws IOException, InterruptedException {
    run(
        acting,
        metrics,
        plan -> {
          acting.planQueue().made(plan, last.cluster());
          return Optional.empty();
        });
  }

  /**
   * Plans for somebody, but doesn't wait until the plan is carried out.
   *
   * @throws IllegalStateException where too much is unknown
   */
  PlanOrders.Ordered now(Acting acting, ServiceMetrics metrics, String who, String why)
      throws IOException, InterruptedException {
    Optional<StoredPlan> stored =
        run(
            acting,
            metrics,
            plan ->
                acting
                    .planQueue()
                    .ordered(plan, "asked for by " + who + ": " + why, last.cluster()));
    PlanningRound.Outcome outcome = last;
    Optional<String> objection = observing.objection();
    if (stored.isEmpty() && objection.isPresent()) {
      throw new IllegalStateException(objection.get());
    }
    String held = acting.handler().control().reason();
    return new PlanOrders.Ordered(
        false,
        stored
            .map(
                plan ->
                    "plan %d (%s) is %s%s"
                        .formatted(
                            plan.number(),
                            outcome.message(),
                            plan.state(),
                            held.isEmpty() ? "" : "; nothing may be begun: " + held))
            .orElseGet(() -> "no plan: there is nothing to do now (" + outcome.message() + ")"),
        stored.map(StoredPlan::number));
  }

  /**
   * Plans to bring files to a type, for somebody.
   *
   * @throws IllegalStateException before the first plan
   */
  PlanOrders.Move order(
      Acting acting,
      MoveOrder order,
      String path,
      StorageType type,
      boolean isMeant,
      String who,
      String why)
      throws IOException, InterruptedException {
    PlanningRound.Outcome outcome = last;
    if (outcome == null) {
      throw new IllegalStateException("no plan was made yet: " + message);
    }
    String by = "order of " + who + (why == null ? "" : ": " + why);
    PlanningRound.Ordered ordered =
        acting.round().order(order, acting.lastPlan() + 1, path, type, by, outcome);
    Plan plan = ordered.plan();
    Optional<StoredPlan> stored = Optional.empty();
    if (isMeant && !plan.isEmpty()) {
      acting.audit().begin(plan);
      stored = acting.planQueue().ordered(plan, by, ordered.cluster());
    }
    StoredPlan shown = StoredPlan.of(plan, PlanState.REPORTED, runtime.clock().instant());
    String does =
        "%d of %d files go to %s with %d moves of %s"
            .formatted(
                plan.files().size(),
                ordered.files(),
                type,
                plan.moves().size(),
                Quantities.bytes(plan.bytes()));
    String what =
        plan.isEmpty()
            ? "no plan: nothing of "
                + path
                + " can go to "
                + type
                + ordered.left().values().stream().findFirst().map(one -> ": " + one).orElse("")
            : stored
                .map(made -> "plan " + made.number() + " is " + made.state() + ": " + does)
                .orElse(does);
    return new PlanOrders.Move(
        !isMeant,
        what,
        stored.map(StoredPlan::number),
        ordered.files(),
        plan.moves().size(),
        plan.bytes(),
        shown.files().stream().limit(SHOWN).toList(),
        ordered.left().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .limit(SHOWN)
            .map(each -> new PlanOrders.Left(each.getKey(), each.getValue()))
            .toList());
  }

  /** What takes a plan that was made. */
  @FunctionalInterface
  private interface Taking {
    Optional<StoredPlan> take(Plan plan) throws IOException, InterruptedException;
  }

  private Optional<StoredPlan> run(Acting acting, ServiceMetrics metrics, Taking taking)
      throws IOException, InterruptedException {
    try {
      Optional<StoredPlan> stored = round(acting, metrics, taking);
      failedInRow = 0;
      return stored;
    } finally {
      step = null;
    }
  }

  void at(String words) {
    step = new Step(words, runtime.nanos().getAsLong());
  }

  /** What a round has been at for a while; empty where there is none, or it goes on. */
  String slow() {
    return slow(PlanWatch.SHOWN_AFTER);
  }

  /** The same where it takes ten minutes, and twice as long as listing files and deciding took in the last round. */
  String stalled() {
    Duration usual = planning().multipliedBy(2);
    return slow(usual.compareTo(STALLED_AFTER) < 0 ? STALLED_AFTER : usual);
  }

  private String slow(Duration after) {
    Step now = step;
    long nanos = now == null ? 0 : runtime.nanos().getAsLong() - now.nanos();
    return nanos < after.toNanos()
        ? ""
        : "the next plan waits: the service has been "
            + now.words()
            + " for "
            + nanos / 1_000_000_000L
            + " s";
  }

  /** Says it again when there are twice as many. */
  void sayUncounted() {
    long reads = observing.ownUsers();
    if (reads > 0 && reads >= 2 * saidUncounted) {
      saidUncounted = reads;
      observing.uncounted().ifPresent(LOG::warn);
    }
  }

  private Optional<StoredPlan> round(Acting acting, ServiceMetrics metrics, Taking taking)
      throws IOException, InterruptedException {
    at("looking at what an earlier plan left");
    // What it looks after is in HDFS already, whatever is known of reads.
    Recovery recovery = acting.handler().recovery();
    if (recovery != null) {
      recovery.look();
      if (recovery.account().isPresent()) {
        acting.planQueue().store().account(recovery.plan(), recovery.account().get());
      }
    }
    sayUncounted();
    Optional<String> objection = observing.objection();
    if (objection.isPresent()) {
      message = objection.get();
      return Optional.empty();
    }
    long began = runtime.nanos().getAsLong();
    at("looking at files and deciding");
    PlanningRound.Outcome outcome = plan(acting);
    at("recording its decisions in the journal");
    acting.count(outcome);
    long planned = runtime.nanos().getAsLong();
    metrics.took("plan", planned - began);
    planningNanos = planned - began;
    for (Map.Entry<String, Integer> left : outcome.leftFactors().entrySet()) {
      acting
          .journal()
          .append(
              new JournalEntry.ReplicationLeft(
                  runtime.clock().instant().toString(), left.getKey(), left.getValue()));
    }
    acting.journal().append(outcome.takenBack());
    firstParts.changed(outcome.firstParts(), acting);
    Plan plan = acting.grouped(outcome);
    acting.audit().begin(plan);
    Optional<StoredPlan> stored = taking.take(plan);
    at("taking back storage policies that nothing needs");
    acting.takeBack(outcome.needless());
    metrics.took("act", runtime.nanos().getAsLong() - planned);
    return stored;
  }

  private PlanningRound.Outcome plan(Acting acting) throws IOException, InterruptedException {
    long asOf = observing.heardMillis();
    long beganMillis = runtime.clock().millis();
    PlanningRound.Outcome outcome = acting.round().run(acting.lastPlan() + 1);
    last = outcome;
    acting
        .hintService()
        .ifPresent(hintService -> hintService.saw(outcome, acting.round().hints(), beganMillis));
    history.add(
        OutcomeHeats.sample(
            runtime.clock().instant(),
            outcome.real(),
            outcome.cluster(),
            outcome.situation().reads(),
            OutcomeHeats.reliabilities(acting.hintService().map(HintService::registry))));
    if (observing.readsTraces()) {
      observing.learnBlocks(outcome.candidates(), asOf);
    }
    plans++;
    String summary = outcome.message() + leftOut(acting.round().unreadable());
    if (!summary.equals(message)) {
      LOG.info(
          "plan {}: {} files managed, {} left alone: {}",
          outcome.plan().number(),
          outcome.managed(),
          outcome.leftAlone(),
          summary);
    }
    message = summary;
    tellReadOrder(outcome);
    served.planned(outcome.real(), outcome.cluster(), outcome.situation().reads());
    return outcome;
  }

  private static String leftOut(Set<String> unreadable) {
    return unreadable.stream()
        .min(Comparator.naturalOrder())
        .map(
            path ->
                "; files below %s%s are left out: the service's user may not list it"
                    .formatted(
                        path,
                        unreadable.size() == 1
                            ? ""
                            : " and "
                                + (unreadable.size() < NamespaceView.MOST_UNREADABLE
                                    ? ""
                                    : "at least ")
                                + (unreadable.size() - 1)
                                + " more directories"))
        .orElse("");
  }

  private void tellReadOrder(PlanningRound.Outcome outcome) {
    String line = readOrders.line(outcome.situation().reads(), outcome.real());
    if (readOrder.isEmpty()) {
      LOG.info("{}", line);
    }
    readOrder = line;
  }

  /** How much of its file's reads a fast copy serves, as a line; empty before the first plan. */
  String readOrder() {
    return readOrder;
  }

  /** How long the last round listed files and decided; zero before the first. */
  Duration planning() {
    return Duration.ofNanos(planningNanos);
  }

  /** That round after round breaks off, in words; empty where the last one didn't, or it may have been chance. */
  String failing() {
    int rounds = failedInRow;
    return rounds < FAILING_AFTER ? "" : "no plan in the last " + rounds + " rounds: " + message;
  }

  /** A round broke off. */
  void failed(Throwable why) {
    failures++;
    failedInRow++;
    if (why instanceof IOException e) {
      // HDFS's, which carries the NameNode's stack in its message.
      message = "planning failed: " + CommandLines.explain(e);
      LOG.warn("{}, trying again", message);
      LOG.debug("planning failed", e);
    } else {
      message = "planning failed: " + why;
      LOG.warn("planning failed, trying again", why);
    }
  }

  /** What is to be known at a glance until the next round. */
  void say(String words) {
    message = words;
  }

  String message() {
    return message;
  }

  /** The last plan with what it was made of; null before the first. */
  PlanningRound.Outcome last() {
    return last;
  }

  List<Decision> decisions() {
    PlanningRound.Outcome seen = last;
    return seen == null ? List.of() : seen.decisions();
  }

  /** Files that the last plan was made of, as HDFS shows them. */
  List<HotFile> files() {
    PlanningRound.Outcome seen = last;
    return seen == null ? List.of() : seen.real();
  }

  /** Plans made since the start. */
  long plans() {
    return plans;
  }

  /** Rounds that broke off since the start. */
  long failures() {
    return failures;
  }

  History history() {
    return history;
  }
}
