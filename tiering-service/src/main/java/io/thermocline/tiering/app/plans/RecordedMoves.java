// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.act.MoveListener;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.app.records.RecentMoves;
import io.thermocline.tiering.app.records.Recorder;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts, shows and records every change of a move. Thread-safe. */
final class RecordedMoves implements MoveListener {

  private static final Logger LOG = LoggerFactory.getLogger(RecordedMoves.class);

  private final List<MoveCounts> counts;
  private final RecentMoves recent;
  private final Recorder recorder;
  private final FailurePauses pauses;

  RecordedMoves(
      List<MoveCounts> counts, RecentMoves recent, Recorder recorder, FailurePauses pauses) {
    this.pauses = pauses;
    this.counts = counts;
    this.recent = recent;
    this.recorder = recorder;
  }

  @Override
  public void planned(List<Move> moves) {
    for (Move move : moves) {
      counts.forEach(each -> each.planned(move));
      recent.changed(move, MoveState.PLANNED, "");
    }
  }

  @Override
  public void changed(Move move, MoveState state, String detail) {
    if (state != MoveState.COPYING) {
      changed(List.of(new Change(move, state, detail)));
      return;
    }
    count(move, state, detail);
    try {
      recorder.before(state.name(), entry(move, state, detail));
    } catch (IOException e) {
      // Whoever copies must not: nothing says that it does.
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void changed(List<Change> changes) {
    changes.forEach(one -> count(one.move(), one.state(), one.detail()));
    recorder.after(
        changes.stream()
            .map(
                one ->
                    new Recorder.Line(
                        one.state().name(), entry(one.move(), one.state(), one.detail())))
            .toList());
  }

  private void count(Move move, MoveState state, String detail) {
    counts.forEach(each -> each.changed(move, state));
    recent.changed(move, state, detail);
    if (state == MoveState.VERIFIED) {
      pauses.done(move.path());
    } else if (state == MoveState.FAILED) {
      pauses.failed(move.path(), detail);
      LOG.warn("move {} of {} failed: {}", move.id(), move.path(), detail);
    }
  }

  private JournalEntry entry(Move move, MoveState state, String detail) {
    return new JournalEntry.Moved(
        recorder.now(),
        move.id(),
        move.path(),
        move.block().id(),
        move.source().node() + " " + move.source().type(),
        move.targetNode() + " " + move.targetType(),
        state.name(),
        detail,
        move.bytes());
  }
}
