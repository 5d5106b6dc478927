// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a configuration asks of Hadoop's other placement policies. Ours keeps the rules of
 * BlockPlacementPolicyDefault alone.
 */
final class OtherPolicies {
  /** The class that {@code dfs.block.replicator.classname} named before: only an administrator knows it. */
  static final String REPLACES_KEY = "thermocline.placement.replaces";

  static final String UPGRADE_DOMAINS = "dfs.namenode.upgrade.domain.factor";

  /** Begins the keys of a policy that keeps each replica on a rack of its own. */
  static final String RACK_FAULT_TOLERANT =
      "dfs.namenode.available-space-rack-fault-tolerant-block-placement-policy.";

  private static final String AVAILABLE_SPACE =
      "dfs.namenode.available-space-block-placement-policy.";

  private static final String PACKAGE = "org.apache.hadoop.hdfs.server.blockmanagement.";

  private static final List<String> REPLACEABLE =
      Arrays.asList(
          PACKAGE + "BlockPlacementPolicyDefault", PACKAGE + "AvailableSpaceBlockPlacementPolicy");

  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  private static final String CANT = "ThermoclinePlacementPolicy can't be used: ";

  private OtherPolicies() {}

  /**
   * Refuses what would cost replicas their distance if it was ignored, and warns of what would only change
   * where blocks go.
   *
   * @throws IllegalArgumentException with the reason; a NameNode then doesn't start, or keeps its old policy
   *     where it was to be reconfigured
   */
  static void refuse(Configuration conf, NetworkTopology topology, PlacementCounters counters) {
    String replaces = conf.getTrimmed(REPLACES_KEY, "");
    if (replaces.isEmpty()) {
      counters.count(Event.REPLACED_UNKNOWN);
      LOG.warn(
          "{} isn't set, so the guarantees of the placement policy before can't be checked: set it to the class that"
              + " dfs.block.replicator.classname named before, {} if it wasn't set",
          REPLACES_KEY,
          REPLACEABLE.get(0));
    } else if (!REPLACEABLE.contains(replaces)) {
      throw new IllegalArgumentException(
          CANT
              + REPLACES_KEY
              + " is "
              + replaces
              + ", and it keeps the guarantees of "
              + String.join(" and ", REPLACEABLE)
              + " only"
              + (replaces.contains("RackFaultTolerant")
                  ? ": it doesn't put each replica on a rack of its own"
                  : "")
              + ". Set dfs.block.replicator.classname to the class that was there before");
    }
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
    return CANT
        + "the cluster has "
        + what
        + ", and it doesn't keep replicas apart by them. Set dfs.block.replicator.classname to"
        + " "
        + PACKAGE
        + "BlockPlacementPolicy"
        + policy;
  }
}
