// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;

/** Hadoop's own policy on the nodes of a fake cluster, to compare with. */
final class StockPolicy extends BlockPlacementPolicyDefault {
  StockPolicy(FakeCluster cluster) {
    initialize(cluster.conf(), FakeCluster.stats(), cluster.topology(), null);
  }
}
