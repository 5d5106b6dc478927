// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;

/**
 * How hard moving may lean on the cluster.
 *
 * @param copies at the same time, over the whole cluster: each takes a thread
 * @param maxConcurrentCopiesPerNode at the same time, as source or target; DataNodes refuse above
 *     dfs.datanode.balance.max.concurrent.moves
 * @param attempts to copy a replica before its move fails
 * @param retryAfter pause before the second attempt, doubled for each further one up to {@link #LONGEST_PAUSE}
 * @param verifyEvery between two looks at the files whose copies are made
 * @param verifyWithin from copy made to copy shown; the NameNode drops the source replica at the
 *     DataNode's next heartbeats
 */
public record ActLimits(
    int copies,
    int maxConcurrentCopiesPerNode,
    int attempts,
    Duration retryAfter,
    Duration verifyEvery,
    Duration verifyWithin) {

  /** Before any attempt, unless the first pause is longer already. */
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(16);

  public ActLimits {
    if (copies < 1 || maxConcurrentCopiesPerNode < 1 || attempts < 1) {
      throw new IllegalArgumentException(
          "copies "
              + copies
              + ", per node "
              + maxConcurrentCopiesPerNode
              + ", attempts "
              + attempts
              + ": expected at least 1 each");
    }
  }

  /** Between this attempt, from 1, and the next. */
  Duration pauseAfter(int attempt) {
    Duration pause = retryAfter;
    for (int i = 1; i < attempt && pause.compareTo(LONGEST_PAUSE) < 0; i++) {
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
    return pause;
  }
}
