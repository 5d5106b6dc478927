// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

/**
 * Whether new data should be led elsewhere, by how much waits at the DataNodes (HintStor's
 * REDIRECT, thesis chapter 2.3.2). HDFS tells no queue of a storage; the threads that serve a
 * DataNode's transfers stand for it. Thread-safe.
 */
public final class QueueLength {

  /** It is long until it is below this share of what made it long. */
  private static final double SHORT_AGAIN = 0.5;

  private final double above;
  private double mean;
  private boolean isLong;

  /**
   * What it is now.
   *
   * @param mean transfer threads of a DataNode
   * @param above from which on it is long; 0: never
   */
  public record Now(double mean, double above, boolean isLong) {}

  public QueueLength(double above) {
    this.above = above;
  }

  /** Takes what was seen: transfer threads of a DataNode, on average. */
  public synchronized void saw(double threads) {
    mean = threads;
    isLong = above > 0 && threads > above * (isLong ? SHORT_AGAIN : 1);
  }

  public synchronized Now now() {
    return new Now(mean, above, isLong);
  }
}
