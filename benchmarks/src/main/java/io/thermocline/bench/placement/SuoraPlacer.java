// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.SegmentTable;
import io.thermocline.placement.suora.TableOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/** SUORA as published: replica by replica from the number line, again where the node has one. */
final class SuoraPlacer implements ReplicaPlacer {
  private static final double UNIT = 1e12;
  private static final int TRIES = 4096;
  private static final long BYTES_PER_CELL = 12;

  private final DeviceSelector line;
  private final int cells;
  private final int[] nodeOf;
  private int[] nodes;
  private int placed;
  private final IntPredicate isNew = this::isNew;

  SuoraPlacer(SegmentTable table) {
    this.line = table.numberLine().selector(0);
    this.cells = table.cells();
    this.nodeOf = new int[line.devices()];
    Arrays.setAll(nodeOf, device -> Integer.parseInt(line.deviceId(device).substring(1)));
  }

  static SuoraPlacer assigned(double[] weights) {
    return new SuoraPlacer(table(weights));
  }

  /** Nodes n0, n1 and so on. */
  static SegmentTable table(double[] weights) {
    double p = UNIT * Arrays.stream(weights).average().orElseThrow();
    List<TableOperation> operations = new ArrayList<>();
    for (int node = 0; node < weights.length; node++) {
      operations.add(TableOperation.assign(device(node, weights[node]), p));
    }
    return SegmentTable.replay(operations);
  }

  static Device device(int node, double weight) {
    return Device.of("n" + node, Math.round(weight * UNIT));
  }

  private boolean isNew(int device) {
    for (int i = 0; i < placed; i++) {
      if (nodes[i] == nodeOf[device]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void place(long key, int[] into) {
    nodes = into;
    for (placed = 0; placed < into.length; placed++) {
      // The sequence goes on behind what was rejected: asking again from the start finds the next.
      into[placed] = nodeOf[line.select(key, isNew, TRIES)];
    }
  }

  @Override
  public long bytes() {
    return BYTES_PER_CELL * cells;
  }
}
