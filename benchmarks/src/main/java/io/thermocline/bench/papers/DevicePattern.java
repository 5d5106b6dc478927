// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import java.util.List;

/**
 * SUORA's published inputs: the devices of table 4 and the access patterns of table 5, whose hotness classes 0
 * to 4 are what buckets b0 to b4 are for.
 *
 * @param percent of the data in each hotness class
 * @param hotness reads of an item of each class: lowest and highest
 */
public record DevicePattern(String name, String field, double[] percent, int[][] hotness) {
  static final List<String> DEVICES =
      List.of("WD hard disk", "Seagate hard disk", "RAID5 of 4 disks", "S3700 SSD", "P3500 SSD");
  static final double[] CAPACITY_GB = {4000, 2000, 1000, 512, 400};
  static final double[] THROUGHPUT_MB_S = {95, 176, 263, 500, 1800};
  static final int BUCKETS = 5;

  public static final List<DevicePattern> ALL =
      List.of(
          new DevicePattern(
              "FIO-randread",
              "fio_randread",
              new double[] {55.58, 19.8, 7.99, 9.93, 6.70},
              new int[][] {{0, 0}, {1, 25}, {26, 280}, {281, 305}, {306, 659}}),
          new DevicePattern(
              "FIO-randrw",
              "fio_randrw",
              new double[] {65, 17.73, 8.28, 4.76, 4.23},
              new int[][] {{0, 0}, {1, 18}, {19, 280}, {281, 300}, {301, 792}}),
          new DevicePattern(
              "IOZONE-read",
              "iozone",
              new double[] {64.28, 18.29, 4.49, 7.67, 5.27},
              new int[][] {{0, 0}, {1, 20}, {21, 50}, {51, 75}, {76, 812}}),
          new DevicePattern(
              "IOR-read",
              "ior",
              new double[] {63.94, 16.33, 7.41, 8.25, 4.07},
              new int[][] {{0, 0}, {1, 20}, {21, 100}, {101, 150}, {151, 819}}));

  /** Middle of a class. */
  double meanHotness(int hotnessClass) {
    return (hotness[hotnessClass][0] + hotness[hotnessClass][1]) / 2.0;
  }

  /** Bucket of the fastest copy of that class's data: their own, or the fastest of the first replicas. */
  static int lead(int hotnessClass, int replicas) {
    return Math.max(hotnessClass, replicas - 1);
  }

  /** Percent of the data of which SUORA moves a copy (section 3.6): those for which the first buckets won't do. */
  double movedPercent(int replicas) {
    double moved = 0;
    for (int c = replicas; c < BUCKETS; c++) {
      moved += percent[c];
    }
    return moved;
  }

  /** Equation 3 in MB/s, each class read from the bucket of its fastest copy. */
  double suoraThroughput(int replicas) {
    double reads = 0;
    double time = 0;
    for (int c = 0; c < BUCKETS; c++) {
      double own = percent[c] * meanHotness(c);
      reads += own;
      time += own / THROUGHPUT_MB_S[lead(c, replicas)];
    }
    return reads / time;
  }

  /** Equation 3 in MB/s for data that lie on the buckets in proportion to weights, whatever their hotness. */
  static double throughput(double[] weights) {
    double reads = 0;
    double time = 0;
    for (int b = 0; b < BUCKETS; b++) {
      reads += weights[b];
      time += weights[b] / THROUGHPUT_MB_S[b];
    }
    return reads / time;
  }
}
