// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;

/**
 * When a file of about the same size was read for the first time last. Jobs that sweep through a data set read
 * its parts one after the other, each of about one size, and come back to none of them soon: a first read
 * that follows such another closely is probably of a sweep.
 */
final class Sweeps {
  /** Sizes within a class differ by half a percent; its neighbours count too. */
  private static final double WIDTH = 0.005;

  /** One more at both ends, so that each class has its neighbours. */
  private static final int CLASSES = (int) (Math.log(Long.MAX_VALUE) / WIDTH) + 3;

  private final double[] last = new double[CLASSES];

  Sweeps() {
    Arrays.fill(last, Double.NEGATIVE_INFINITY);
  }

  /**
   * A file is read for the first time.
   *
   * @return seconds since the first read of another file of about this size; infinite if there was none
   */
  double firstRead(long bytes, double at) {
    int of = 1 + (int) (Math.log(Math.max(1, bytes)) / WIDTH);
    double before = Math.max(last[of], Math.max(last[of - 1], last[of + 1]));
    last[of] = at;
    return at - before;
  }

  void writeTo(StateSink sink) {
    sink.reals(last);
  }

  void restore(StateSource source) {
    source.reals(last);
  }
}
