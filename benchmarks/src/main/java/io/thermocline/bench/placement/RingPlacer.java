// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import java.util.Arrays;

/**
 * A ring of virtual nodes, 256 for each node of mean weight (Karger et al. 1997): the replicas are the
 * first distinct nodes behind the key. 8 bytes a virtual node, and a guide table instead of the usual
 * binary search.
 */
final class RingPlacer implements ReplicaPlacer {
  private static final int VIRTUAL_NODES = 256;
  private static final int NODE_BITS = 21;
  private static final long NODE_MASK = (1 << NODE_BITS) - 1;

  /** 43 bits of place, 21 of node; ascending as unsigned numbers, which are halved to be signed. */
  private final long[] ring;

  private final int[] guide;
  private final int guideShift;

  RingPlacer(double[] weights) {
    double mean = Arrays.stream(weights).average().orElseThrow();
    int[] virtual =
        Arrays.stream(weights)
            .mapToInt(weight -> (int) Math.max(1, Math.round(VIRTUAL_NODES * weight / mean)))
            .toArray();
    ring = new long[Arrays.stream(virtual).sum()];
    int filled = 0;
    for (int node = 0; node < virtual.length; node++) {
      for (int v = 0; v < virtual[node]; v++) {
        long place = Hashes.hash((long) node << 32 | v, 7) >>> 1;
        ring[filled++] = place & ~NODE_MASK | node;
      }
    }
    Arrays.parallelSort(ring);
    int bits = Math.max(1, 31 - Integer.numberOfLeadingZeros(ring.length) - 1);
    guideShift = 63 - bits;
    guide = new int[(1 << bits) + 1];
    int at = 0;
    for (int g = 0; g < guide.length; g++) {
      while (at < ring.length && ring[at] >>> guideShift < g) {
        at++;
      }
      guide[g] = at;
    }
  }

  @Override
  public void place(long key, int[] nodes) {
    long place = Hashes.hash(key, 0) >>> 1;
    int at = guide[(int) (place >>> guideShift)];
    while (at < ring.length && ring[at] < place) {
      at++;
    }
    for (int found = 0; found < nodes.length; at++) {
      if (at == ring.length) {
        at = 0;
      }
      int node = (int) (ring[at] & NODE_MASK);
      if (!Hashes.contains(nodes, found, node)) {
        nodes[found++] = node;
      }
    }
  }

  @Override
  public long bytes() {
    return 8L * ring.length + 4L * guide.length;
  }
}
