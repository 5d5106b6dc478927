// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.function.LongSupplier;

/** Asks from time to time; what is wanted goes through a lane. */
final class LiveMover implements Mover {
  private final FileTable files;
  private final Tally tally;
  private final TieringPolicy policy;
  private final MoveLane lane;
  private final LongSupplier toNext;

  /** Null where decisions don't wait for moves. */
  private final Pace pace;

  private long nextDecision;

  LiveMover(FileTable files, Tally tally, TieringPolicy policy, long every, MoveLane lane) {
    this.files = files;
    this.tally = tally;
    this.policy = policy;
    this.lane = lane;
    this.pace = policy.pace();
    this.toNext = pace == null ? () -> every : pace.toNextMicros();
    nextDecision = pace == null ? every : 0;
  }

  @Override
  public void advance(long micros, LongSupplier nanos) {
    while (Math.min(lane.endsAt(), nextDecision) <= micros) {
      if (lane.endsAt() <= nextDecision) {
        files.at(lane.endsAt());
        lane.complete();
      } else if (pace != null && lane.endsAt() != MoveLane.NEVER) {
        nextDecision = lane.endsAt();
      } else {
        files.at(nextDecision);
        decide(nanos);
        nextDecision += toNext.getAsLong();
      }
      lane.begin(files.nowMicros());
    }
  }

  @Override
  public void end(LongSupplier nanos) {
    if (pace == null) {
      return;
    }
    advance(pace.endMicros(), nanos);
    if (lane.endsAt() == MoveLane.NEVER) {
      files.at(pace.endMicros());
      decide(nanos);
    }
  }

  private void decide(LongSupplier nanos) {
    lane.forgetWaiting();
    long begin = nanos.getAsLong();
    policy.rebalance(files, lane);
    tally.decided(nanos.getAsLong() - begin);
  }

  @Override
  public void accessed(FileAccess access, LongSupplier nanos) {
    // It waits for the next decision.
  }
}
