// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.MetricsView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What the disks of a {@link WriteLoop} report of themselves, and when: each at its own times, so many
 * seconds apart. Between reports the values stand still. Used by one thread.
 */
final class ServerReports implements MetricsView {
  /** Ceph's filestore_max_sync_interval, by default. */
  private static final double FLUSH_INTERVAL = 5;

  /** What a latency is the mean of where reports come more often. */
  private static final double LEAST_WINDOW = 1;

  private final double interval;
  private final double[] firstReport = new double[WriteLoop.DISKS];
  private final double[] firstFlush = new double[WriteLoop.DISKS];
  private final double[] reported = new double[WriteLoop.DISKS];
  private final double[] latency = new double[WriteLoop.DISKS];
  private final double[] journal = new double[WriteLoop.DISKS];
  private final double[] cpu = new double[WriteLoop.DISKS];
  private final List<Deque<Written>> writes = new ArrayList<>();
  private final SplittableRandom random;
  private double now;

  /**
   * Reports at intervals.
   *
   * @param interval in seconds; 0 is before each choice, as where the client asks
   */
  ServerReports(double interval, long seed) {
    this.interval = interval;
    this.random = new SplittableRandom(seed);
    Arrays.fill(reported, -1);
    for (int disk = 0; disk < WriteLoop.DISKS; disk++) {
      writes.add(new ArrayDeque<>());
      firstReport[disk] = interval * random.nextDouble();
      firstFlush[disk] = FLUSH_INTERVAL * random.nextDouble();
    }
  }

  /** A replica will have been written at a time. */
  void written(int disk, double at, double tookSeconds) {
    writes.get(disk).add(new Written(at, tookSeconds));
  }

  /** Values are wanted as they are known at that time, which never goes back. */
  void at(double time) {
    now = time;
  }

  @Override
  public double value(Metric metric, int disk) {
    double last = interval == 0 ? now : lastOf(firstReport[disk], interval, now);
    if (last > reported[disk]) {
      report(disk, last);
      reported[disk] = last;
    }
    if (metric.equals(Metric.WRITE_LATENCY)) {
      return latency[disk];
    }
    if (metric.equals(Metric.JOURNAL_UNFLUSHED)) {
      return journal[disk];
    }
    return metric.equals(Metric.CPU_USED) ? cpu[disk] : UNKNOWN;
  }

  private void report(int disk, double at) {
    double since = at - Math.max(interval, LEAST_WINDOW);
    double flushed = lastOf(firstFlush[disk], FLUSH_INTERVAL, at);
    Deque<Written> known = writes.get(disk);
    while (!known.isEmpty() && known.peek().at() <= Math.min(since, flushed)) {
      known.remove();
    }
    double sum = 0;
    int recent = 0;
    double unflushed = 0;
    for (Written write : known) {
      if (write.at() > at) {
        break;
      }
      if (write.at() > since) {
        sum += write.took();
        recent++;
      }
      if (write.at() > flushed) {
        unflushed += WriteLoop.BLOCK_MB;
      }
    }
    if (recent > 0) {
      latency[disk] = sum / recent;
    }
    journal[disk] = unflushed;
    // Two servers are kept busy by others, and what is seen of that wavers. It isn't in the
    // service time: the paper found that no processor limits a disk.
    double busy = disk / WriteLoop.DISKS_OF_SERVER < 2 ? .97 : .1;
    cpu[disk] = busy + .04 * (random.nextDouble() - .5);
  }

  /** The last time of first, first + interval and so on that isn't after now. */
  private static double lastOf(double first, double interval, double now) {
    return first + Math.floor((now - first) / interval) * interval;
  }

  private record Written(double at, double took) {}
}
