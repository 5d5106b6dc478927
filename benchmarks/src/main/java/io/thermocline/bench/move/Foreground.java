// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What reads took while nothing was moved, and while something was. */
final class Foreground {
  private final List<Window> quiet = new ArrayList<>();
  private final List<Window> meanwhile = new ArrayList<>();

  /**
   * @param reads nanoseconds that each took
   * @param cpuSeconds of this process
   */
  record Window(long[] reads, double seconds, double cpuSeconds) {}

  void quiet(Window window) {
    quiet.add(window);
  }

  void meanwhile(Window window) {
    meanwhile.add(window);
  }

  void addAll(Foreground other) {
    quiet.addAll(other.quiet);
    meanwhile.addAll(other.meanwhile);
  }

  /** The 99th percentile meanwhile over that of the quiet time; NaN where either has no read. */
  double p99Ratio() {
    return percentile(meanwhile, 0.99) / percentile(quiet, 0.99);
  }

  /** The same of the median. */
  double medianRatio() {
    return percentile(meanwhile, 0.5) / percentile(quiet, 0.5);
  }

  /** Reads a second meanwhile over those of the quiet time. */
  double rateRatio() {
    return sum(meanwhile, Foreground::count)
        / sum(meanwhile, Window::seconds)
        / (sum(quiet, Foreground::count) / sum(quiet, Window::seconds));
  }

  /**
   * Seconds of processors that were used meanwhile, but for what the reads took, as they did in
   * the quiet time.
   */
  double cpuSecondsBeside() {
    double ofARead = sum(quiet, Window::cpuSeconds) / sum(quiet, Foreground::count);
    return sum(meanwhile, Window::cpuSeconds) - sum(meanwhile, Foreground::count) * ofARead;
  }

  private static double count(Window window) {
    return window.reads().length;
  }

  private static double sum(List<Window> windows, ToDoubleFunction<Window> of) {
    return windows.stream().mapToDouble(of).sum();
  }

  private static double percentile(List<Window> windows, double share) {
    long[] sorted =
        windows.stream().flatMapToLong(window -> Arrays.stream(window.reads())).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
