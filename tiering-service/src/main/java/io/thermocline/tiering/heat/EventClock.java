// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * The present of a log, from the times of its lines: it never goes back, and a single line from far ahead
 * doesn't move it. One thread.
 */
final class EventClock {
  /*
   * A wrong time of years ahead would cool everything to nothing. A gap in the log is as long but goes on:
   * so more than a half-life beyond what is credible is crossed when these many lines in a row come from there.
   */
  private static final int WITNESSES = 16;

  private final Decay decay;
  private boolean started;
  private long step;
  private int witnesses;
  private long credible = Long.MIN_VALUE;

  EventClock(Decay decay) {
    this.decay = decay;
  }

  /** Lines up to this time are believed at once. */
  void trust(long timeMillis) {
    credible = decay.step(timeMillis);
  }

  /** Whether the time of one more line brought a new step. */
  boolean observe(long timeMillis) {
    long next = decay.step(timeMillis);
    if (started && next <= step) {
      witnesses = 0;
      return false;
    }
    if (started
        && next - Math.max(step, credible) > Decay.STEPS_PER_HALF_LIFE
        && ++witnesses < WITNESSES) {
      return false;
    }
    witnesses = 0;
    started = true;
    step = next;
    return true;
  }

  long step() {
    return step;
  }

  /** The step a read of this time was counted in, at the latest. */
  long stepOf(long timeMillis) {
    return Math.min(step, decay.step(timeMillis));
  }

  SavedState freeze() {
    long[] numbers = {started ? 1 : 0, step, witnesses};
    return sink -> sink.words(numbers);
  }

  void restore(StateSource source) {
    long[] numbers = new long[3];
    source.words(numbers);
    started = numbers[0] != 0;
    step = numbers[1];
    witnesses = (int) numbers[2];
  }
}
