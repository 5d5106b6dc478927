// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The shares of replicas that are nearest to shares of capacity under HDFS's rules: one replica of a block on
 * a node, at most two of three on a rack. Found by maximum flows, without any code of the placement policy.
 *
 * <p>Nearest: the smallest of all ratios to the share of capacity is as large as it can be, then the next one,
 * and so on. For these rules the largest ratios are then as small as they can be.
 */
final class NearestShares {
  private static final double CLOSE = 1e-9;
  private static final double RISE = 1e-6;
  private static final int STEPS = 60;

  /** From the source over what a rack may have to the nodes and the sink. */
  private final double[][] capacity;

  private final int nodes;
  private final int firstNode;
  private final double total;

  private NearestShares(double[][] capacity, int nodes, double total) {
    this.capacity = capacity;
    this.nodes = nodes;
    this.firstNode = capacity.length - 1 - nodes;
    this.total = total;
  }

  /**
   * Of all three replicas, with a writer outside the cluster.
   *
   * @param weights by node
   */
  static double[] ofThree(double[] weights, int[] rackOf) {
    int racks = racks(rackOf);
    double[][] capacity = network(racks, weights.length);
    for (int rack = 0; rack < racks; rack++) {
      capacity[0][1 + rack] = racks == 1 ? 3 : 2;
    }
    for (int i = 0; i < weights.length; i++) {
      capacity[1 + rackOf[i]][1 + racks + i] = 1;
    }
    return new NearestShares(capacity, weights.length, 3).fill(weights, new double[weights.length]);
  }

  /**
   * Of the second and third replica.
   *
   * @param first by node, the share of blocks whose first replica is there
   * @param counted by node, what counts as part of its share: the same, or nothing where the first replica has
   *     another storage type
   */
  static double[] ofPair(double[] first, double[] counted, double[] weights, int[] rackOf) {
    int racks = racks(rackOf);
    double[] onRack = new double[racks];
    for (int i = 0; i < first.length; i++) {
      onRack[rackOf[i]] += first[i];
    }
    // For the rack of the first replica, one of the two may be on the same rack; with one rack,
    // both.
    double[][] capacity = network(2 * racks, weights.length);
    for (int rack = 0; rack < racks; rack++) {
      int gate = 1 + racks + rack;
      capacity[0][1 + rack] = 2 * onRack[rack];
      capacity[1 + rack][gate] = racks == 1 ? 2 * onRack[rack] : onRack[rack];
      for (int i = 0; i < weights.length; i++) {
        boolean isHere = rackOf[i] == rack;
        capacity[isHere ? gate : 1 + rack][1 + 2 * racks + i] =
            isHere ? onRack[rack] - first[i] : onRack[rack];
      }
    }
    return new NearestShares(capacity, weights.length, 2).fill(weights, counted);
  }

  private static int racks(int[] rackOf) {
    return Arrays.stream(rackOf).max().orElseThrow() + 1;
  }

  private static double[][] network(int inner, int nodes) {
    return new double[inner + nodes + 2][inner + nodes + 2];
  }

  /** Raises all shares together in proportion to the weights; one that can rise no more stays. */
  private double[] fill(double[] weights, double[] counted) {
    double sum = Arrays.stream(weights).sum();
    double all = total + Arrays.stream(counted).sum();
    double[] fair = Arrays.stream(weights).map(weight -> all * weight / sum).toArray();
    double[] got = new double[nodes];
    boolean[] stays = new boolean[nodes];
    for (int i = 0; i < nodes; i++) {
      double[] little = new double[nodes];
      little[i] = RISE;
      // A node that can have none would hold the others down to what the flows are exact to.
      stays[i] = weights[i] == 0 || !fits(little);
    }
    while (Arrays.stream(got).sum() < total - RISE) {
      double low = 0;
      double high = 2 * all / Arrays.stream(fair).filter(share -> share > 0).min().orElseThrow();
      for (int step = 0; step < STEPS; step++) {
        double level = (low + high) / 2;
        if (fits(at(level, fair, counted, got, stays))) {
          low = level;
        } else {
          high = level;
        }
      }
      // Below what fits at its very limit, so that only shares that are at theirs stay.
      got = at(low * (1 - CLOSE * 10), fair, counted, got, stays);
      boolean any = false;
      for (int i = 0; i < nodes; i++) {
        if (!stays[i]) {
          double[] more = got.clone();
          more[i] += RISE;
          stays[i] = !fits(more);
          any |= stays[i];
        }
      }
      if (!any) {
        throw new IllegalStateException("no share is at its limit: " + Arrays.toString(got));
      }
    }
    double[] shares = got.clone();
    for (int i = 0; i < nodes; i++) {
      shares[i] += counted[i];
    }
    return shares;
  }

  private static double[] at(
      double level, double[] fair, double[] counted, double[] got, boolean[] stays) {
    double[] wanted = new double[fair.length];
    Arrays.setAll(wanted, i -> stays[i] ? got[i] : Math.max(got[i], level * fair[i] - counted[i]));
    return wanted;
  }

  /** Whether blocks can be placed so that each node gets so much. */
  private boolean fits(double[] wanted) {
    double sum = Arrays.stream(wanted).sum();
    if (sum > total + CLOSE) {
      return false;
    }
    double[][] left = new double[capacity.length][];
    Arrays.setAll(left, from -> capacity[from].clone());
    int sink = capacity.length - 1;
    for (int i = 0; i < nodes; i++) {
      left[firstNode + i][sink] = wanted[i];
    }
    double flow = 0;
    for (double more = augment(left); more > 0; more = augment(left)) {
      flow += more;
    }
    return flow > sum - CLOSE;
  }

  /** Along a shortest path with room (Edmonds and Karp); 0 where there is none. */
  private static double augment(double[][] left) {
    int sink = left.length - 1;
    int[] from = new int[left.length];
    Arrays.fill(from, -1);
    from[0] = 0;
    ArrayDeque<Integer> seen = new ArrayDeque<>();
    seen.add(0);
    while (!seen.isEmpty() && from[sink] < 0) {
      int at = seen.remove();
      for (int next = 0; next <= sink; next++) {
        if (from[next] < 0 && left[at][next] > CLOSE / left.length) {
          from[next] = at;
          seen.add(next);
        }
      }
    }
    if (from[sink] < 0) {
      return 0;
    }
    double room = Double.MAX_VALUE;
    for (int at = sink; at != 0; at = from[at]) {
      room = Math.min(room, left[from[at]][at]);
    }
    for (int at = sink; at != 0; at = from[at]) {
      left[from[at]][at] -= room;
      left[at][from[at]] += room;
    }
    return room;
  }
}
