// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import io.thermocline.placement.choice.ChoicePolicy.Better;
import java.util.Locale;

/**
 * The policies of the paper. {@link #CPU}, {@link #LATENCY} and {@link #JOURNAL} were published as not
 * effective: load that changes within seconds says nothing of where a block should be for years. They
 * are here as negative controls, to be measured against, not to be used.
 *
 * <p>Source: CHOICE, table 1, and section 4.4 for how the values of a set become one.
 */
public enum PublishedPolicy implements ChoicePolicy {
  /** Nearest to the client, the first replica counts. */
  LOCAL(Metric.DISTANCE, Over.FIRST, Better.LOWER, Effect.EFFECTIVE),

  /** Most RAM left to cache what is read, the first replica counts. */
  MEMORY(Metric.MEMORY_FREE, Over.FIRST, Better.HIGHER, Effect.EFFECTIVE),

  /** Least used, the fullest device of a set counts: a cluster is full when its first device is. */
  SPACE(Metric.DISK_USED, Over.WORST, Better.LOWER, Effect.EFFECTIVE),

  /** Least busy processors on average. */
  CPU(Metric.CPU_USED, Over.MEAN, Better.LOWER, Effect.NEGATIVE_CONTROL),

  /** Shortest recent writes on average. */
  LATENCY(Metric.WRITE_LATENCY, Over.MEAN, Better.LOWER, Effect.NEGATIVE_CONTROL),

  /** Least to flush on average. */
  JOURNAL(Metric.JOURNAL_UNFLUSHED, Over.MEAN, Better.LOWER, Effect.NEGATIVE_CONTROL);

  private final Metric metric;
  private final Over over;
  private final Better better;
  private final Effect effect;

  PublishedPolicy(Metric metric, Over over, Better better, Effect effect) {
    this.metric = metric;
    this.over = over;
    this.better = better;
    this.effect = effect;
  }

  @Override
  public String policyName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it looks at. */
  public Metric metric() {
    return metric;
  }

  /** Whether the paper found that it helps. */
  public Effect effect() {
    return effect;
  }

  @Override
  public Better better() {
    return better;
  }

  @Override
  public double score(CandidateSets sets, int candidate, MetricsView metrics) {
    int size = over == Over.FIRST ? 1 : sets.size(candidate);
    double worst = metrics.value(metric, sets.device(candidate, 0));
    double sum = worst;
    for (int replica = 1; replica < size; replica++) {
      // One unknown value makes both unknown: NaN passes through sums and through min and max.
      double value = metrics.value(metric, sets.device(candidate, replica));
      sum += value;
      worst = better == Better.LOWER ? Math.max(worst, value) : Math.min(worst, value);
    }
    return over == Over.MEAN ? sum / size : worst;
  }

  @Override
  public String scoreIs() {
    return metric.name() + " (" + metric.unit() + ") " + over.words;
  }

  /** What was published of a policy. */
  public enum Effect {
    EFFECTIVE,
    NEGATIVE_CONTROL
  }

  private enum Over {
    FIRST("of the first replica"),
    MEAN("on average"),
    WORST("of the worst replica");

    private final String words;

    Over(String words) {
      this.words = words;
    }
  }
}
