// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.ReplicaLine;
import io.thermocline.placement.suora.SegmentTable;
import io.thermocline.placement.suora.TableOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Ours: SUORA's number line, all replicas at once. */
final class SuoraPlacer implements ReplicaPlacer {
  private static final double UNIT = 1e12;

  private final ReplicaLine line;

  private SuoraPlacer(ReplicaLine line) {
    this.line = line;
  }

  static SuoraPlacer assigned(double[] weights, int replicas) {
    return new SuoraPlacer(table(weights, weights.length).replicaLine(replicas, 0));
  }

  /** On a cluster half of whose nodes joined one by one. */
  static SuoraPlacer grownByHalf(double[] weights, int replicas) {
    return new SuoraPlacer(table(weights, weights.length / 2).replicaLine(replicas, 0));
  }

  /** On a cluster that lost a node after the first assignment. */
  static SuoraPlacer without(WeightedCluster cluster, int gone) {
    double[] weights = cluster.weights();
    return new SuoraPlacer(
        table(weights, weights.length).remove("n" + gone).replicaLine(cluster.replicas(), 0));
  }

  /** Nodes n0, n1, ..., the first ones assigned, the others joining in order. */
  static SegmentTable table(double[] weights, int assigned) {
    double p = UNIT * Arrays.stream(weights).average().orElseThrow();
    List<TableOperation> operations = new ArrayList<>();
    for (int node = 0; node < weights.length; node++) {
      Device device = device(node, weights[node]);
      operations.add(
          node < assigned ? TableOperation.assign(device, p) : TableOperation.append(device, p));
    }
    return SegmentTable.replay(operations);
  }

  static Device device(int node, double weight) {
    return Device.of("n" + node, Math.round(weight * UNIT));
  }

  @Override
  public void place(long key, int[] nodes) {
    line.place(key, nodes);
  }

  @Override
  public long bytes() {
    return line.bytes();
  }
}
