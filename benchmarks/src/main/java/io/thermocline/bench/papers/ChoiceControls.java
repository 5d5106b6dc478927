// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import io.thermocline.placement.choice.PublishedPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a policy does to the throughput of a {@link WriteLoop} in percent of one candidate: to the writes
 * that place blocks, and to later writes of the blocks that were placed. Means over seeds with a 95 %
 * confidence interval; a seed is the same for both sides. Immutable.
 */
final class ChoiceControls {
  /** Blocks of the paper's 8 images of 6 GB, and four times as many: the experiment's length is unknown. */
  static final int WRITES = 4 * 8 * 6 * 1024 / 4;

  private static final int SEEDS = 12;

  /** Student's t of 97.5 % with 11 degrees of freedom. */
  private static final double T = 2.201;

  private final double reportInterval;
  private final long seed;

  ChoiceControls(double reportInterval, long seed) {
    this.reportInterval = reportInterval;
    this.seed = seed;
  }

  /** With two candidates. */
  Effects effects(PublishedPolicy policy) {
    List<Double> placing = new ArrayList<>();
    List<Double> latency = new ArrayList<>();
    List<Double> later = new ArrayList<>();
    for (int i = 0; i < SEEDS; i++) {
      long one = seed * 1_000 + i;
      List<int[]> hashed = new ArrayList<>();
      List<int[]> chosen = new ArrayList<>();
      WriteLoop.Outcome plain =
          new WriteLoop(one).place(policy, 1, new ServerReports(reportInterval, ~one), hashed);
      WriteLoop.Outcome choice =
          new WriteLoop(one).place(policy, 2, new ServerReports(reportInterval, ~one), chosen);
      placing.add(percent(choice.mbPerSecond(), plain.mbPerSecond()));
      latency.add(percent(choice.latencyMillis(), plain.latencyMillis()));
      later.add(
          percent(
              new WriteLoop(-one).rewrite(chosen).mbPerSecond(),
              new WriteLoop(-one).rewrite(hashed).mbPerSecond()));
    }
    return new Effects(Effect.of(placing), Effect.of(latency), Effect.of(later));
  }

  /** With one candidate, which no policy changes. */
  static WriteLoop.Outcome baseline(long seed) {
    return new WriteLoop(seed)
        .place(PublishedPolicy.CPU, 1, new ServerReports(1, seed), new ArrayList<>());
  }

  private static double percent(double is, double was) {
    return 100 * (is / was - 1);
  }

  record Effects(Effect placing, Effect latencyOfPlacing, Effect later) {}

  record Effect(double mean, double halfWidth) {
    static Effect of(List<Double> samples) {
      double mean = samples.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
      double squares = samples.stream().mapToDouble(s -> (s - mean) * (s - mean)).sum();
      return new Effect(mean, T * Math.sqrt(squares / (samples.size() - 1) / samples.size()));
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%+.1f ± %.1f", mean, halfWidth);
    }
  }
}
