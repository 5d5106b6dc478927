// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.suora.ReplicaPlan;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;

/**
 * The plans of one snapshot for new blocks with three replicas: one for each pair of storage types that a
 * storage policy of HDFS asks for, the first replica's and that of the other two. Immutable.
 */
final class ReplicaPlans {
  static final int REPLICAS = 3;

  private static final int TYPES = StorageType.values().length;
  private static final boolean[] ASKED_FOR = askedFor();

  private final ReplicaPlan[] plans = new ReplicaPlan[TYPES * TYPES];

  private ReplicaPlans() {}

  /**
   * Makes the plans.
   *
   * @param weights by type and node; null for a type that isn't chosen by weights
   * @param rackOf by node
   * @param written by node, the share of blocks that are written on it, then by rack, of those whose writer is
   *     there on a host without a DataNode
   */
  static ReplicaPlans of(double[][] weights, int[] rackOf, double[] written) {
    ReplicaPlans made = new ReplicaPlans();
    for (int at = 0; at < ASKED_FOR.length; at++) {
      double[] first = weights[at / TYPES];
      double[] others = weights[at % TYPES];
      if (ASKED_FOR[at] && first != null && others != null) {
        made.plans[at] = ReplicaPlan.of(first, others, rackOf, localTo(written, first, rackOf));
      }
    }
    return made;
  }

  /** By node, the share of blocks with the first replica there. Writers on nodes without the type write elsewhere. */
  private static double[] localTo(double[] written, double[] weights, int[] rackOf) {
    int nodes = weights.length;
    double[] onRack = new double[written.length - nodes];
    for (int i = 0; i < nodes; i++) {
      onRack[rackOf[i]] += weights[i];
    }
    double[] local = new double[nodes];
    for (int i = 0; i < nodes; i++) {
      if (weights[i] > 0) {
        local[i] = written[i] + written[nodes + rackOf[i]] * weights[i] / onRack[rackOf[i]];
      }
    }
    return local;
  }

  /**
   * The plan for a block's types.
   *
   * @param types of all three replicas, as {@link TypeCounts}
   * @return null where there is none
   */
  ReplicaPlan of(long types) {
    int at = pairOf(types);
    return at < 0 ? null : plans[at];
  }

  /** The stock policy places the types in the order of their ordinals. */
  private static int pairOf(long types) {
    int first = TypeCounts.first(types);
    if (first >= TYPES || types == TypeCounts.TOO_MANY) {
      return -1;
    }
    long others = TypeCounts.minusOne(types, first);
    int second = TypeCounts.first(others);
    return second < TYPES && TypeCounts.count(others, second) == REPLICAS - 1
        ? first * TYPES + second
        : -1;
  }

  private static boolean[] askedFor() {
    boolean[] asked = new boolean[TYPES * TYPES];
    for (int type = 0; type < TYPES; type++) {
      asked[type * TYPES + type] = StorageTypes.ours(StorageType.values()[type]) != null;
    }
    List<BlockStoragePolicy> policies =
        Arrays.asList(BlockStoragePolicySuite.createDefaultSuite().getAllPolicies());
    for (BlockStoragePolicy policy : policies) {
      int at = pairOf(TypeCounts.of(policy.chooseStorageTypes((short) REPLICAS)));
      if (at >= 0) {
        asked[at] = true;
      }
    }
    return asked;
  }
}
