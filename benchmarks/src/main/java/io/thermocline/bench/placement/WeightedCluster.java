// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Nodes of given weights, on which a number of replicas is placed. */
record WeightedCluster(String name, int replicas, double[] weights) {
  /** Small mixed clusters, on which drawing one replica after the other is unfair. */
  static List<WeightedCluster> hard() {
    return List.of(
        new WeightedCluster("10 nodes, two of 4x", 3, mixed(2, 4, 8)),
        new WeightedCluster("12 nodes, six of 10x", 3, mixed(6, 10, 6)),
        new WeightedCluster("30 nodes, half 4x", 3, mixed(15, 4, 15)));
  }

  /** Random clusters of 6 to 20 nodes, weights within 1 to 12. */
  static List<WeightedCluster> random(int count, long seed) {
    Random random = new Random(seed);
    List<WeightedCluster> clusters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double[] weights = new double[6 + random.nextInt(15)];
      Arrays.setAll(weights, n -> (1 + 2 * random.nextDouble()) * (random.nextInt(4) == 0 ? 4 : 1));
      clusters.add(new WeightedCluster("random " + i, PlacementBenchmark.REPLICAS, weights));
    }
    return clusters;
  }

  /** This cluster after a node was lost; the others are numbered anew. */
  WeightedCluster without(int gone) {
    double[] left = new double[weights.length - 1];
    System.arraycopy(weights, 0, left, 0, gone);
    System.arraycopy(weights, gone + 1, left, gone, left.length - gone);
    return new WeightedCluster(name, replicas, left);
  }

  /** The part of all keys of which each node should hold a replica: min(1, r*w/W), crops shared. */
  double[] inclusions() {
    double[] inclusions = new double[weights.length];
    for (boolean cropping = true; cropping; ) {
      cropping = false;
      double rest = 0;
      int left = replicas;
      for (int node = 0; node < weights.length; node++) {
        rest += inclusions[node] >= 1 ? 0 : weights[node];
        left -= inclusions[node] >= 1 ? 1 : 0;
      }
      for (int node = 0; node < weights.length; node++) {
        if (inclusions[node] < 1) {
          inclusions[node] = left * weights[node] / rest;
          cropping |= inclusions[node] > 1;
          inclusions[node] = Math.min(1, inclusions[node]);
        }
      }
    }
    return inclusions;
  }

  /** How far, in percent, the worst node is from what it should hold, counted over keys. */
  double worstBiasPercent(ReplicaPlacer placer, long keys) {
    long[] counts = new long[weights.length];
    int[] nodes = new int[replicas];
    for (long key = 0; key < keys; key++) {
      placer.place(key, nodes);
      for (int node : nodes) {
        counts[node]++;
      }
    }
    double[] inclusions = inclusions();
    double worst = 0;
    for (int node = 0; node < counts.length; node++) {
      worst = Math.max(worst, Math.abs(counts[node] / (keys * inclusions[node]) - 1));
    }
    return 100 * worst;
  }

  /** Keys after which the standard error is that many percent on the node where it is largest. */
  long keysFor(double percent) {
    double least = Arrays.stream(inclusions()).min().orElseThrow();
    return Math.round((1 - least) / least / (percent * percent * 1e-4));
  }

  private static double[] mixed(int heavy, double weight, int light) {
    double[] weights = new double[heavy + light];
    Arrays.fill(weights, 1);
    Arrays.fill(weights, 0, heavy, weight);
    return weights;
  }
}
