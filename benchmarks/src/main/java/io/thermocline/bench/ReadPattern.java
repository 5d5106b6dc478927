// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

/**
 * A data access pattern of SUORA's table 5: how often each of many items was read, the same for the same
 * item. Within a group, reads are evenly distributed.
 */
enum ReadPattern {
  FIO_RANDREAD(new double[] {55.58, 19.8, 7.99, 9.93, 6.70}, new int[] {0, 1, 26, 281, 306, 660}),
  FIO_RANDRW(new double[] {65, 17.73, 8.28, 4.76, 4.23}, new int[] {0, 1, 19, 281, 301, 793}),
  IOZONE_READ(new double[] {64.28, 18.29, 4.49, 7.67, 5.27}, new int[] {0, 1, 21, 51, 76, 813});

  static final int GROUPS = 5;

  private final double[] percent;
  private final int[] lows;

  /**
   * @param percent of the items in each group
   * @param lows fewest reads of each group, and one more than the most of the last
   */
  ReadPattern(double[] percent, int[] lows) {
    this.percent = percent;
    this.lows = lows;
  }

  /** The threshold of a bucket: fewest reads of the group. */
  int threshold(int bucket) {
    return lows[bucket];
  }

  /** Reads of an item. */
  int reads(long item) {
    long random = mix(~item);
    double point = (random >>> 32) * 0x1p-32 * 100;
    int group = 0;
    while (group < GROUPS - 1 && point >= percent[group]) {
      point -= percent[group++];
    }
    int width = lows[group + 1] - lows[group];
    return lows[group] + (int) ((random & 0xFFFFFFFFL) * width >>> 32);
  }

  /** The key of an item: well mixed, and independent of its reads. */
  static long key(long item) {
    return mix(item);
  }

  /** Share of items that are read at all. */
  double readShare() {
    return 1 - percent[0] / 100;
  }

  /**
   * What any structure needs to tell the reads of those items that are read, but for a hundredth of them, and
   * to take so few others for read that 99 of 100 that seem read are: log2 of one over the share of those,
   * and the entropy of the reads, for each item that is read.
   */
  double lowerBoundBytes(long items) {
    double read = readShare();
    double falsePositives = 0.01 / 0.99 * read / (1 - read);
    double bits = -log2(falsePositives);
    for (int group = 1; group < GROUPS; group++) {
      double share = percent[group] / 100 / read;
      bits += share * (log2(lows[group + 1] - lows[group]) - log2(share));
    }
    return 0.99 * items * read * bits / 8;
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private static long mix(long item) {
    long value = item * 0x9e3779b97f4a7c15L;
    value = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    value = (value ^ (value >>> 27)) * 0x94d049bb133111ebL;
    return value ^ (value >>> 31);
  }
}
