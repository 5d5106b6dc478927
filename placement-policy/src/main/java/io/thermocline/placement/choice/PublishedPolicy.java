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
  LOCAL(Metric.DISTANCE, Over.FIRST, Better.LOWER),

  /** Most RAM left to cache what is read, the first replica counts. */
  MEMORY(Metric.MEMORY_FREE, Over.FIRST, Better.HIGHER),

  /** Least used, the fullest device of a set counts: a cluster is full when its first device is. */
  SPACE(Metric.DISK_USED, Over.WORST, Better.LOWER),

  /** Least busy processors on average. */
  CPU(Metric.CPU_USED, Over.MEAN, Better.LOWER),

  /** Shortest recent writes on average. */
  LATENCY(Metric.WRITE_LATENCY, Over.MEAN, Better.LOWER),

  /** Least to flush on average. */
  JOURNAL(Metric.JOURNAL_UNFLUSHED, Over.MEAN, Better.LOWER);

  private final Metric metric;
  private final Over over;
  private final Better better;

  PublishedPolicy(Metric metric, Over over, Better better) {
    this.metric = metric;
    this.over = over;
    this.better = better;
  }

  @Override
  public String policyName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it looks at. */
  public Metric metric() {
    return metric;
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
