// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.tiering.process.ServiceRuntime;
import java.util.Locale;

/** How far a piece of work is, how fast it goes, and how long it will take. Not thread-safe. */
final class Gauge {

  private final ServiceRuntime runtime;
  private String what = "";
  private long done;
  private long total;
  private long begun;

  Gauge(ServiceRuntime runtime) {
    this.runtime = runtime;
  }

  void at(String unit, long doneNow, long totalNow) {
    if (!unit.equals(what)) {
      what = unit;
      begun = runtime.nanos().getAsLong();
    }
    done = doneNow;
    total = totalNow;
  }

  boolean isIdle() {
    return total == 0;
  }

  /** From 0 to 1. */
  double fraction() {
    return total == 0 ? 0 : (double) done / total;
  }

  /** "61 %  1,220 of 2,000 reads  0:42 left". */
  @Override
  public String toString() {
    double elapsed = (runtime.nanos().getAsLong() - begun) / 1e9;
    String left = "";
    if (done > 0 && done < total) {
      long seconds = Math.round(elapsed / done * (total - done));
      left = String.format(Locale.ROOT, "  %d:%02d left", seconds / 60, seconds % 60);
    }
    return String.format(
        Locale.ROOT, "%3.0f %%  %,d of %,d %s%s", 100 * fraction(), done, total, what, left);
  }
}
