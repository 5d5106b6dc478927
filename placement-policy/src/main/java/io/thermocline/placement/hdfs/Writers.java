// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where new blocks with three replicas are written from: how many have their first replica on their writer's
 * node, by node, and how many on the rack of a writer elsewhere, by rack. The last thousand refreshes count
 * most. Counting is safe for any thread; the rest is for the one that refreshes.
 */
final class Writers {
  private static final double KEPT = 0.999;
  private static final double LEAST_BLOCKS = 1000;

  /** What the blocks before a change of nodes count as: who writes may have changed with them. */
  private static final double BLOCKS_BEFORE = 10_000;

  /** Standard errors that a node's share of blocks is off before new plans are made. */
  private static final double STANDARD_ERRORS = 4;

  private final int nodes;
  private final LongAdder elsewhere = new LongAdder();

  // By node, then by rack.
  private final AtomicLongArray counts;
  private final double[] blocks;
  private double all;
  private double[] planned;
  private double plannedOf;

  private Writers(int nodes, int racks) {
    this.nodes = nodes;
    counts = new AtomicLongArray(nodes + racks);
    blocks = new double[nodes + racks];
    planned = new double[nodes + racks];
  }

  /** Of the nodes and racks of a snapshot, with what was counted in the one before. */
  static Writers of(NodeEntry[] nodes, ClusterSnapshot.Racks racks, ClusterSnapshot before) {
    Writers writers = new Writers(nodes.length, racks.count());
    if (before != null) {
      Writers known = before.writers();
      known.collect();
      writers.all = known.all - sum(known.blocks, known.blocks.length);
      double mean = sum(known.blocks, known.nodes) / Math.max(1, known.nodes);
      for (int i = 0; i < nodes.length; i++) {
        NodeEntry entry = before.entry(nodes[i].node());
        // Whoever writes on the nodes writes on one that joins: without this its replicas, which
        // were planned for no writer, would be too many until as many blocks were counted anew.
        writers.take(i, entry == null ? mean : known.blocks[entry.index()]);
      }
      for (int rack = 0; rack < racks.count(); rack++) {
        int was = before.racks().indexOf(racks.name(rack));
        if (was != ClusterSnapshot.NO_RACK) {
          writers.take(nodes.length + rack, known.blocks[known.nodes + was]);
        }
      }
      writers.countAsFew();
      writers.plan(writers.shares());
    }
    return writers;
  }

  private void take(int at, double known) {
    blocks[at] = known;
    all += known;
  }

  private void countAsFew() {
    double part = Math.min(1, BLOCKS_BEFORE / Math.max(1, all));
    all *= part;
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] *= part;
    }
  }

  /** Counts a block with a replica on its writer's node. */
  void countLocal(int node) {
    counts.incrementAndGet(node);
  }

  /** Counts a block whose first replica is on the writer's rack, and could be on each node of it. */
  void countOnRack(int rack) {
    counts.incrementAndGet(nodes + rack);
  }

  /** Counts any other block. */
  void countOther() {
    elsewhere.increment();
  }

  /** By node and then by rack, the share of blocks that the plans are made for. */
  double[] planned() {
    return planned;
  }

  /**
   * Whether the plans are made for other writers than there are; from then on they are for these. Each node
   * is looked at by itself, since what is little of all blocks can be much of a small node's.
   */
  boolean haveChanged() {
    collect();
    double[] now = shares();
    // With twice as many blocks the shares are known better, also where none of them is far off.
    boolean changed = all >= LEAST_BLOCKS && all >= 2 * plannedOf;
    for (int i = 0; i < now.length && !changed; i++) {
      double standardError = Math.sqrt(Math.max(now[i], planned[i]) / Math.max(1, all));
      changed = Math.abs(now[i] - planned[i]) > STANDARD_ERRORS * standardError;
    }
    if (changed) {
      plan(now);
    }
    return changed;
  }

  private void plan(double[] shares) {
    planned = shares;
    plannedOf = all;
  }

  private void collect() {
    long others = elsewhere.sumThenReset();
    all = all * KEPT + others;
    for (int i = 0; i < blocks.length; i++) {
      long count = counts.getAndSet(i, 0);
      blocks[i] = blocks[i] * KEPT + count;
      all += count;
    }
  }

  private static double sum(double[] values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += values[i];
    }
    return sum;
  }

  private double[] shares() {
    double[] shares = new double[blocks.length];
    for (int i = 0; i < shares.length && all >= LEAST_BLOCKS; i++) {
      shares[i] = blocks[i] / all;
    }
    return shares;
  }
}
