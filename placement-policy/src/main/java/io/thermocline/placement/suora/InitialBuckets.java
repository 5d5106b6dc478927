// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * In which bucket each replica of new data starts. Buckets are numbered from 0, the slowest, on.
 *
 * <p>Source: SUORA, section 3.6.
 */
public final class InitialBuckets {
  // In the paper replica i starts in bucket i. The bottom buckets are large there; a bucket of
  // flash that gets a replica of everything is full long before the others. So one bucket, home,
  // takes as many replicas as it must, and others one each: those, and as many, with which the
  // cluster can take the most data. A bucket that can't hold one of rep replicas of that gets
  // none.

  private InitialBuckets() {}

  /**
   * The bucket of each replica, ascending.
   *
   * @param capacities in bytes by bucket
   * @param replicas of each data, at least 1
   * @param home takes at least one, and all that find no other; on HDFS the bucket of DISK
   * @throws IllegalArgumentException if replicas is below 1 or there is no bucket home
   */
  public static int[] of(long[] capacities, int replicas, int home) {
    if (replicas < 1) {
      throw new IllegalArgumentException("data has at least one replica, got " + replicas);
    }
    if (home < 0 || home >= capacities.length) {
      throw new IllegalArgumentException(
          "no bucket " + home + " among " + capacities.length + " to take what is left over");
    }
    int[] largestFirst =
        IntStream.range(0, capacities.length)
            .filter(bucket -> bucket != home)
            .boxed()
            .sorted((a, b) -> Long.compare(capacities[b], capacities[a]))
            .mapToInt(Integer::intValue)
            .toArray();
    int others = 0;
    double most = (double) capacities[home] / replicas;
    for (int n = 1; n <= Math.min(largestFirst.length, replicas - 1); n++) {
      double room =
          Math.min((double) capacities[home] / (replicas - n), capacities[largestFirst[n - 1]]);
      // No more buckets than it takes: what is left free is for what gets hot.
      if (room > most) {
        most = room;
        others = n;
      }
    }
    int[] buckets = new int[replicas];
    Arrays.fill(buckets, home);
    System.arraycopy(largestFirst, 0, buckets, 0, others);
    Arrays.sort(buckets);
    return buckets;
  }
}
