// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import org.apache.hadoop.conf.Configuration;

/**
 * What the stock policy reads from the configuration and keeps to itself. Keys by name, as some are
 * missing from the constants of some Hadoop versions. Immutable.
 */
final class StockSettings {
  private final long staleMillis;
  private final boolean loadByTypeOrVolume;
  private final boolean prefersLocalNode;
  private final boolean peerStats;
  private final String defaultPolicy;

  private StockSettings(Configuration conf) {
    staleMillis = conf.getLong("dfs.namenode.stale.datanode.interval", 30_000);
    loadByTypeOrVolume =
        conf.getBoolean("dfs.namenode.redundancy.considerLoadByStorageType", false)
            || conf.getBoolean("dfs.namenode.redundancy.considerLoadByVolume", false);
    prefersLocalNode =
        conf.getBoolean("dfs.namenode.block-placement-policy.default.prefer-local-node", true);
    peerStats = conf.getBoolean("dfs.datanode.peer.stats.enabled", false);
    defaultPolicy = conf.getTrimmed("dfs.storage.default.policy", "HOT");
  }

  static StockSettings of(Configuration conf) {
    return new StockSettings(conf);
  }

  /** Age of the last heartbeat from which on a node is stale. */
  long staleMillis() {
    return staleMillis;
  }

  /** Whether a node's load is compared with that of its storage types or its volumes. */
  boolean loadByTypeOrVolume() {
    return loadByTypeOrVolume;
  }

  boolean prefersLocalNode() {
    return prefersLocalNode;
  }

  /** Whether DataNodes report slow peers. */
  boolean peerStats() {
    return peerStats;
  }

  /** Name of the storage policy of files that were given none. */
  String defaultPolicy() {
    return defaultPolicy;
  }
}
