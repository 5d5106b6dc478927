// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import java.util.Arrays;

/**
 * ASURA (Ishikawa 2013): a number line with segments in proportion to weight, and numbers from a range
 * that doubles with the line, drawn until they hit segments of enough distinct nodes.
 */
final class AsuraPlacer implements ReplicaPlacer {
  private static final int FIRST_RANGE_BITS = 4;
  private static final double FRACTIONS = 0x1.0p32;

  private final int[] nodeOfCell;

  /** How long the segment is, in 2^-32 of the cell; 0 in a gap. */
  private final long[] lengthOfCell;

  private final int bits;

  /** How many numbers each generator has given for the key at hand. */
  private final int[] given;

  AsuraPlacer(double[] weights) {
    double unit = Arrays.stream(weights).average().orElseThrow();
    int cells = Arrays.stream(weights).mapToInt(weight -> (int) Math.ceil(weight / unit)).sum();
    bits = Math.max(FIRST_RANGE_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(cells - 1));
    nodeOfCell = new int[1 << bits];
    lengthOfCell = new long[1 << bits];
    given = new int[bits + 1];
    int cell = 0;
    for (int node = 0; node < weights.length; node++) {
      for (double left = weights[node] / unit; left > 1e-9; left--) {
        nodeOfCell[cell] = node;
        lengthOfCell[cell] = Math.round(Math.min(1, left) * FRACTIONS);
        cell++;
      }
    }
  }

  @Override
  public void place(long key, int[] nodes) {
    Arrays.fill(given, 0);
    long start = Hashes.mix(key);
    for (int found = 0; found < nodes.length; ) {
      int k = bits;
      long number = number(start, k);
      // The lower half of a range is the generators' below.
      while (number >= 0 && k > FIRST_RANGE_BITS) {
        number = number(start, --k);
      }
      int cell = (int) (number >>> Long.SIZE - k);
      boolean hit = (number << k >>> Integer.SIZE) < lengthOfCell[cell];
      if (hit && !Hashes.contains(nodes, found, nodeOfCell[cell])) {
        nodes[found++] = nodeOfCell[cell];
      }
    }
  }

  /** The next number of the generator of that many bits, as a fraction of its range. */
  private long number(long start, int k) {
    return Hashes.mix(start + ((long) k << 32 | given[k]++) * Hashes.GOLDEN_GAMMA);
  }

  @Override
  public long bytes() {
    return 12L * nodeOfCell.length;
  }
}
