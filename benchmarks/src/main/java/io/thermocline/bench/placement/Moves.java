// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.suora.SegmentTable;
import java.util.Arrays;
import java.util.Random;

/**
 * What moves on SUORA's line as nodes come and go: replicas that went to or from the node that did, and
 * those that went from one old node to another.
 */
final class Moves {
  private static final int REPLICAS = 3;
  private static final double P = 1e12;

  private long replicas;
  private long moved;
  private long oldToOld;

  /** One node joins a cluster of nodes of weights 1, 2 and 4; returns the part that should move. */
  double addNode(int nodes, long keys) {
    double[] weights = PlacementBenchmark.weights(nodes);
    SegmentTable before = SuoraPlacer.table(weights);
    // In the unit that the others are measured by.
    double p = before.operations().get(0).p();
    SegmentTable after = before.append(SuoraPlacer.device(nodes, 4), p);
    compare(before, after, keys);
    double sum = 4;
    for (double weight : weights) {
      sum += weight;
    }
    return 4 / sum;
  }

  /** Nodes come and go on a random small cluster. */
  void chequeredHistory(long seed, int steps, long keys) {
    Random random = new Random(seed);
    SegmentTable table = SegmentTable.replay(java.util.List.of());
    for (int step = 0; step < steps; step++) {
      DeviceSelector line = table.numberLine().selector(0);
      SegmentTable next =
          line.devices() > REPLICAS && random.nextInt(20) < line.devices()
              ? table.remove(line.deviceId(random.nextInt(line.devices())))
              : table.append(SuoraPlacer.device(step, 0.25 + 8 * random.nextDouble()), P);
      if (line.devices() > REPLICAS) {
        compare(table, next, keys);
      }
      table = next;
    }
  }

  double movedFraction() {
    return (double) moved / replicas;
  }

  long oldToOld() {
    return oldToOld;
  }

  private void compare(SegmentTable before, SegmentTable after, long keys) {
    SuoraPlacer was = new SuoraPlacer(before);
    SuoraPlacer is = new SuoraPlacer(after);
    int[] old = new int[REPLICAS];
    int[] now = new int[REPLICAS];
    for (long key = 0; key < keys; key++) {
      was.place(key, old);
      is.place(key, now);
      replicas += REPLICAS;
      int come = 0;
      int toOld = 0;
      int fromOld = 0;
      for (int j = 0; j < REPLICAS; j++) {
        if (!contains(old, now[j])) {
          come++;
          toOld += before.contains("n" + now[j]) ? 1 : 0;
        }
        if (!contains(now, old[j])) {
          fromOld += after.contains("n" + old[j]) ? 1 : 0;
        }
      }
      moved += come;
      oldToOld += Math.min(toOld, fromOld);
    }
  }

  private static boolean contains(int[] nodes, int node) {
    return Arrays.stream(nodes).anyMatch(one -> one == node);
  }
}
