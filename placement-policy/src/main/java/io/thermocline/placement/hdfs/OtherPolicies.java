// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a configuration asks of Hadoop's other placement policies. Ours keeps the rules of
 * BlockPlacementPolicyDefault alone.
 */
final class OtherPolicies {
  static final String UPGRADE_DOMAINS = "dfs.namenode.upgrade.domain.factor";

  /** Begins the keys of a policy that keeps each replica on a rack of its own. */
  static final String RACK_FAULT_TOLERANT =
      "dfs.namenode.available-space-rack-fault-tolerant-block-placement-policy.";

  private static final String AVAILABLE_SPACE =
      "dfs.namenode.available-space-block-placement-policy.";

  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  private OtherPolicies() {}

  /**
   * Refuses what would cost replicas their distance if it was ignored, and warns of what would only change
   * where blocks go.
   *
   * @throws IllegalArgumentException with the reason; a NameNode then doesn't start, or keeps its old policy
   *     where it was to be reconfigured
   */
  static void refuse(Configuration conf, NetworkTopology topology) {
    if (topology.isNodeGroupAware()) {
      throw new IllegalArgumentException(
          refusal("node groups (net.topology.nodegroup.aware)", "WithNodeGroup"));
    }
    if (isSet(conf, UPGRADE_DOMAINS)) {
      throw new IllegalArgumentException(
          refusal("upgrade domains (" + UPGRADE_DOMAINS + ")", "WithUpgradeDomain"));
    }
    if (isAnySet(conf, RACK_FAULT_TOLERANT)) {
      throw new IllegalArgumentException(
          refusal("a rack for each replica (" + RACK_FAULT_TOLERANT + "*)", "RackFaultTolerant")
              + ", or remove these keys");
    }
    if (isAnySet(conf, AVAILABLE_SPACE)) {
      LOG.warn("{}* has no effect: blocks are placed by capacity", AVAILABLE_SPACE);
    }
  }

  private static boolean isAnySet(Configuration conf, String prefix) {
    return conf.getPropsWithPrefix(prefix).keySet().stream()
        .anyMatch(name -> isSet(conf, prefix + name));
  }

  /** By the site: Hadoop's defaults have a value for each key. */
  private static boolean isSet(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && Arrays.stream(sources).anyMatch(source -> !source.endsWith("hdfs-default.xml"));
  }

  private static String refusal(String what, String policy) {
    return "ThermoclinePlacementPolicy can't be used: the cluster has "
        + what
        + ", and it doesn't keep replicas apart by them. Set dfs.block.replicator.classname to"
        + " org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy"
        + policy;
  }
}
