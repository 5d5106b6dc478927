// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * How many bytes are how hot: a histogram of fixed size, to within 0.4 % of the heat, and exact for whole
 * reads up to 512. One thread.
 */
public final class HeatDistribution {

  /*
   * A bin is the exponent and the top eight bits of the fraction of the heat as a double: 256 bins to an
   * octave, so 1 wide from 256 to 512. Below 2^-8 reads all is cold.
   */
  private static final int FRACTION_BITS = 8;

  private static final int SHIFT = 52 - FRACTION_BITS;
  private static final long FIRST = Double.doubleToRawLongBits(0x1p-8) >>> SHIFT;
  private static final int BINS = 48 << FRACTION_BITS;

  private final long[] bytes = new long[BINS];
  private long total;

  /**
   * @param heat cooled reads
   * @param size bytes of data that are so hot, of one copy
   */
  public void add(double heat, long size) {
    if (!(heat >= 0) || size < 0) {
      throw new IllegalArgumentException(
          "heat " + heat + ", size " + size + ": expected at least 0");
    }
    long bin = (Double.doubleToRawLongBits(heat) >>> SHIFT) - FIRST;
    if (bin >= 0) {
      bytes[(int) Math.min(bin, BINS - 1)] += size;
    }
    total += size;
  }

  /** All bytes. */
  public long total() {
    return total;
  }

  /** Bytes of data at least so hot; of the bin that the heat lies in, all. */
  public long atLeast(double heat) {
    if (!(heat > 0)) {
      return total;
    }
    long from = Math.max(0, (Double.doubleToRawLongBits(heat) >>> SHIFT) - FIRST);
    long sum = 0;
    for (int bin = BINS - 1; bin >= from; bin--) {
      sum += bytes[bin];
    }
    return sum;
  }

  /**
   * The lowest heat such that no more bytes are as hot; infinite where even the hottest are more.
   *
   * @param most bytes
   */
  public double quantile(double most) {
    double sum = 0;
    int lowest = BINS;
    for (int bin = BINS - 1; bin >= 0; bin--) {
      sum += bytes[bin];
      if (sum > most) {
        break;
      }
      if (bytes[bin] > 0) {
        lowest = bin;
      }
    }
    return lowest == BINS ? Double.POSITIVE_INFINITY : edge(lowest);
  }

  /** The heat of the hottest data that is less hot than this; 0 where there is none. */
  public double below(double heat) {
    long from = (Double.doubleToRawLongBits(heat) >>> SHIFT) - FIRST;
    for (int bin = (int) Math.min(from, BINS) - 1; bin >= 0; bin--) {
      if (bytes[bin] > 0) {
        return edge(bin);
      }
    }
    return 0;
  }

  private static double edge(int bin) {
    return Double.longBitsToDouble(bin + FIRST << SHIFT);
  }
}
