// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * In the place of Hadoop's class of this name, for tests: makes the policies that a configuration names,
 * unless {@link #replaced} says otherwise. Hadoop's own tests set the class in their configurations, so
 * that none can be given to them from outside.
 */
public class BlockPlacementPolicies {
  private static volatile UnaryOperator<Class<? extends BlockPlacementPolicy>> replaced =
      UnaryOperator.identity();

  private final BlockPlacementPolicy replicationPolicy;
  private final BlockPlacementPolicy ecPolicy;

  public BlockPlacementPolicies(
      Configuration conf, FSClusterStats stats, NetworkTopology map, Host2NodesMap hosts) {
    replicationPolicy =
        policy(
            replaced.apply(
                conf.getClass(
                    DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
                    DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_DEFAULT,
                    BlockPlacementPolicy.class)),
            conf);
    replicationPolicy.initialize(conf, stats, map, hosts);
    ecPolicy =
        policy(
            conf.getClass(
                DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
                DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_DEFAULT,
                BlockPlacementPolicy.class),
            conf);
    ecPolicy.initialize(conf, stats, map, hosts);
  }

  private static BlockPlacementPolicy policy(
      Class<? extends BlockPlacementPolicy> name, Configuration conf) {
    return ReflectionUtils.newInstance(name, conf);
  }

  /** Which class is made in the place of the one configured, from now on. */
  public static void replace(UnaryOperator<Class<? extends BlockPlacementPolicy>> by) {
    replaced = by;
  }

  public BlockPlacementPolicy getPolicy(BlockType type) {
    return type == BlockType.STRIPED ? ecPolicy : replicationPolicy;
  }
}
