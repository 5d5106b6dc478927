// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;

/** What is remembered of a file that was read. Times in seconds. */
final class TrackedFile {
  final long bytes;
  int reads;
  int habit;
  double lastRead;

  /** Between the last two reads; of one read, since another file of this size was read for the first time. */
  double gap;

  /** Times as often as its habit says, by its size, when it was last read. */
  double factor = 1;

  /** Age up to which it was counted as not read. */
  double countedTo;

  /** Chance of another read within the horizon of forecasts, when it was last read. */
  double forecast;

  /** The best offer for its move so far; negative where it has none. */
  double offer = -1;

  boolean wasMoved;

  /** When it was last read, as the number of that read. */
  long readNumber;

  /** Whether who knew what was to come would have had it on the fast tier when it was last read. */
  boolean isKeptInHindsight;

  TrackedFile(long bytes) {
    this.bytes = bytes;
  }

  double age(double now) {
    return Math.max(0, now - lastRead);
  }

  void writeTo(StateSink sink) {
    sink.number(bytes);
    sink.number(reads);
    sink.number(habit);
    sink.real(lastRead);
    sink.real(gap);
    sink.real(factor);
    sink.real(countedTo);
    sink.real(forecast);
    sink.real(offer);
    sink.number(wasMoved ? 1 : 0);
    sink.number(readNumber);
    sink.number(isKeptInHindsight ? 1 : 0);
  }

  static TrackedFile restore(StateSource source) {
    TrackedFile file = new TrackedFile(source.number());
    file.reads = (int) source.number();
    file.habit = source.size(Habit.COUNT - 1);
    file.lastRead = source.real();
    file.gap = source.real();
    file.factor = source.real();
    file.countedTo = source.real();
    file.forecast = source.real();
    file.offer = source.real();
    file.wasMoved = source.number() != 0;
    file.readNumber = source.number();
    file.isKeptInHindsight = source.number() != 0;
    return file;
  }
}
