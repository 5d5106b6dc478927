// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;

/**
 * How hard moving may lean on the cluster.
 *
 * @param copies at the same time, over the whole cluster
 * @param leastCopies at the same time, however long they take
 * @param copiesPerNode at the same time, as source or target; DataNodes refuse above
 *     dfs.datanode.balance.max.concurrent.moves
 * @param attempts to copy a replica before its move fails
 * @param retryAfter pause before the second attempt, doubled for each further one
 * @param verifyEvery between two looks at the files whose copies are made
 * @param verifyWithin from copy made to copy shown; the NameNode drops the source replica at the
 *     DataNode's next heartbeats
 */
public record ActLimits(
    int copies,
    int leastCopies,
    int copiesPerNode,
    int attempts,
    Duration retryAfter,
    Duration verifyEvery,
    Duration verifyWithin) {

  public ActLimits {
    if (leastCopies < 1 || leastCopies > copies || copiesPerNode < 1 || attempts < 1) {
      throw new IllegalArgumentException(
          "copies from "
              + leastCopies
              + " to "
              + copies
              + ", per node "
              + copiesPerNode
              + ", attempts "
              + attempts
              + ": expected at least 1 each, and no more at least than at most");
    }
  }

  /** One copy at least. */
  public ActLimits(
      int copies,
      int copiesPerNode,
      int attempts,
      Duration retryAfter,
      Duration verifyEvery,
      Duration verifyWithin) {
    this(copies, 1, copiesPerNode, attempts, retryAfter, verifyEvery, verifyWithin);
  }
}
