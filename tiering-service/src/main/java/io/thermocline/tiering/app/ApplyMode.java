// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has plans carried out, and records what becomes of each move. */
final class ApplyMode implements PlanHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ApplyMode.class);

  private final Journal journal;
  private final Clock clock;
  private final PlanExecutor executor;
  private final MoveCounts counts = new MoveCounts();

  ApplyMode(
      HdfsActions hdfs, ActLimits limits, ExecutorService copiers, Journal journal, Seams seams) {
    this.journal = journal;
    this.clock = seams.clock();
    this.executor =
        new PlanExecutor(
            hdfs,
            limits,
            new PlanExecutor.Machinery(copiers, seams.nanos(), seams.pause()),
            (path, policy) -> journal.append(new JournalEntry.PolicySet(now(), path, policy)));
  }

  @Override
  public void handle(Plan plan) throws IOException, InterruptedException {
    for (Plan.FileMoves file : plan.files()) {
      journal.append(planned(plan.number(), file));
      file.moves().forEach(counts::planned);
    }
    executor.execute(plan, this::changed);
  }

  @Override
  public void stop() {
    executor.stop();
  }

  @Override
  public ServiceStatus.Moves moves() {
    return counts.snapshot();
  }

  private JournalEntry planned(long number, Plan.FileMoves file) {
    Decision decision = file.decision();
    return new JournalEntry.Planned(
        now(),
        number,
        decision.hot().file().path(),
        decision.cause().name(),
        decision.target().toString(),
        file.moves().size(),
        decision.reason());
  }

  private void changed(Move move, MoveState state, String detail) {
    counts.changed(move, state);
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

  private String now() {
    return clock.instant().toString();
  }
}
