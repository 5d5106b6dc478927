// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.BackEnd;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.act.LeverExecutor;
import io.thermocline.tiering.act.LeverRecord;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.Steering;
import io.thermocline.tiering.api.PlanResource;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.LeverChange;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has plans carried out, and records what becomes of each move and lever. */
final class ApplyMode implements PlanHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ApplyMode.class);

  private final Journal journal;
  private final Clock clock;
  private final BackEnd backEnd;
  private final LeverExecutor levers;
  private final Steering steering;
  private final String pool;
  private final MoveCounts counts = new MoveCounts();
  private final RecentMoves recent;
  private MoveCounts ofNext = new MoveCounts();

  /** Who carries plans out. */
  record Hands(Moving moves, LeverActions levers, ExecutorService copiers) {}

  /** Who makes the moves. */
  @FunctionalInterface
  interface Moving {
    BackEnd by(PlanExecutor.Machinery machinery, PlanExecutor.PolicyListener policies);
  }

  /**
   * @param pool of the cache that levers use
   */
  ApplyMode(Hands hands, ActLimits limits, String pool, Journal journal, Seams seams) {
    this.pool = pool;
    this.journal = journal;
    this.clock = seams.clock();
    this.recent = new RecentMoves(clock);
    this.steering = steering(journal, seams.clock());
    PlanExecutor.Machinery machinery =
        new PlanExecutor.Machinery(hands.copiers(), seams.nanos(), seams.pause(), steering);
    this.backEnd =
        hands
            .moves()
            .by(
                machinery,
                (path, policy) -> journal.append(new JournalEntry.PolicySet(now(), path, policy)));
    this.levers = new LeverExecutor(hands.levers(), limits, machinery, new Recorded());
  }

  /** As it was when the service was there last; each change is in the journal before it holds. */
  static Steering steering(Journal journal, Clock clock) {
    return new Steering(
        journal
            .steered()
            .map(
                last ->
                    new Steering.Current(
                        Steering.State.valueOf(last.state()),
                        last.who(),
                        last.why(),
                        Instant.parse(last.at())))
            .orElseGet(() -> Steering.unsteered(clock.instant())),
        clock,
        next ->
            journal.append(
                new JournalEntry.Steered(
                    next.since().toString(), next.state().name(), next.who(), next.why())));
  }

  /** Who makes the moves. */
  BackEnd backEnd() {
    return backEnd;
  }

  @Override
  public Steering steering() {
    return steering;
  }

  @Override
  public void handle(Plan plan) throws IOException, InterruptedException {
    if (!steering.beginPlan()) {
      LOG.info("plan {} is not carried out: {}", plan.number(), steering.reason());
      return;
    }
    try {
      carryOut(plan);
    } finally {
      steering.endPlan();
    }
  }

  @Override
  public void countIn(MoveCounts next) {
    ofNext = next;
  }

  private void carryOut(Plan plan) throws IOException, InterruptedException {
    MoveCounts ofPlan = ofNext;
    for (Plan.FileMoves file : plan.files()) {
      journal.append(planned(plan.number(), file.decision(), file.moves().size()));
      file.moves().forEach(counts::planned);
      file.moves().forEach(ofPlan::planned);
      file.moves().forEach(move -> recent.changed(move, MoveState.PLANNED, ""));
    }
    for (LeverChange change : plan.levers()) {
      journal.append(planned(plan.number(), change.decision(), change.copies()));
    }
    backEnd.execute(
        plan,
        (move, state, detail) -> {
          ofPlan.changed(move, state);
          changed(move, state, detail);
        });
    levers.execute(plan.levers());
  }

  @Override
  public void stop() {
    steering.end(Steering.Stop.FINISH);
  }

  @Override
  public ServiceStatus.Moves moves() {
    return counts.snapshot();
  }

  @Override
  public List<PlanResource.MoveState> recentMoves() {
    return recent.all();
  }

  private JournalEntry planned(long number, Decision decision, int moves) {
    return new JournalEntry.Planned(
        now(),
        number,
        decision.hot().file().path(),
        decision.cause().name(),
        decision.target().toString(),
        moves,
        decision.reason());
  }

  private void changed(Move move, MoveState state, String detail) {
    counts.changed(move, state);
    recent.changed(move, state, detail);
    if (state == MoveState.FAILED) {
      LOG.warn("move {} of {} failed: {}", move.id(), move.path(), detail);
    }
    try {
      journal.append(
          new JournalEntry.Moved(
              now(),
              move.id(),
              move.path(),
              move.block().id(),
              move.source().node() + " " + move.source().type(),
              move.targetNode() + " " + move.targetType(),
              state.name(),
              detail,
              move.bytes()));
    } catch (IOException e) {
      // The move itself is HDFS's and done or not; the record is what is lost, so say it loudly.
      LOG.error("journal: could not record move {} as {}", move.id(), state, e);
    }
  }

  /** In the journal. */
  private final class Recorded implements LeverRecord {

    @Override
    public void cached(String path, int before, int after) throws IOException {
      journal.append(new JournalEntry.CacheSet(now(), path, pool, before, after));
    }

    @Override
    public void replication(String path, int before, int after) throws IOException {
      journal.append(new JournalEntry.ReplicationSet(now(), path, before, after));
    }

    @Override
    public void ended(LeverChange change, String failure) {
      String cause = change.decision().cause().name();
      if (!failure.isEmpty()) {
        LOG.warn("{} of {} failed: {}", cause, change.path(), failure);
      }
      try {
        journal.append(new JournalEntry.LeverEnded(now(), change.path(), cause, failure));
      } catch (IOException e) {
        LOG.error("journal: could not record the end of {} of {}", cause, change.path(), e);
      }
    }
  }

  private String now() {
    return clock.instant().toString();
  }
}
