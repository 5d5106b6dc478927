// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

/**
 * straw2, flat, as CRUSH describes it: each node draws ln(u)/w for each replica and the largest wins; a
 * node that was drawn before is drawn again with another number.
 */
final class Straw2Placer implements ReplicaPlacer {
  private final double[] perWeight;

  Straw2Placer(double[] weights) {
    perWeight = new double[weights.length];
    for (int node = 0; node < weights.length; node++) {
      perWeight[node] = 1 / weights[node];
    }
  }

  @Override
  public void place(long key, int[] nodes) {
    long number = 0;
    for (int found = 0; found < nodes.length; number++) {
      int node = longest(Hashes.hash(key, number));
      if (!Hashes.contains(nodes, found, node)) {
        nodes[found++] = node;
      }
    }
  }

  private int longest(long hash) {
    double longest = Double.NEGATIVE_INFINITY;
    int winner = 0;
    for (int node = 0; node < perWeight.length; node++) {
      double u = ((Hashes.mix(hash + node) >>> 12) + 0.5) * 0x1.0p-52;
      double straw = Math.log(u) * perWeight[node];
      if (straw > longest) {
        longest = straw;
        winner = node;
      }
    }
    return winner;
  }

  @Override
  public long bytes() {
    return 8L * perWeight.length;
  }
}
