// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * How much longer clients' reads of blocks take while copies are made than while none are: of
 * each DataNode what it said while there were none, and how far above that it is now. Pure, not
 * thread-safe.
 */
final class ReadTimes {

  /*
   * Each DataNode is compared with itself, so that it makes no difference which of them are read
   * from. What was said of quiet times counts half as much at each further one: what is read
   * changes over a day, and with it what a read takes.
   */

  private static final double NEWEST = 0.5;

  /** Reads below which a mean says little. */
  private static final long FEW = 20;

  /** Of what reads take, what is noise of clocks and of the page cache. */
  private static final double LEAST_MILLIS = 0.1;

  private final Map<String, Node> nodes = new HashMap<>();

  /**
   * What a DataNode says of reads of its blocks by clients; copies aren't among them.
   *
   * @param count since it started
   * @param millis that one took on average, of those of late
   */
  public record Reads(long count, double millis) {}

  /**
   * What one look says.
   *
   * @param ratio what reads took over what they take in quiet times; empty where too few came
   * @param reads that came since the last look
   * @param slowed DataNodes where it is above what was asked
   */
  record Seen(OptionalDouble ratio, long reads, Set<String> slowed) {}

  /** No copy was made in the time that this is about. */
  void quiet(Map<String, Reads> now) {
    now.forEach(
        (name, reads) -> {
          Node node = node(name);
          if (node.newReads(reads) > 0) {
            double before = Double.isNaN(node.quietMillis) ? reads.millis() : node.quietMillis;
            node.quietMillis = before + NEWEST * (reads.millis() - before);
          }
        });
  }

  /** It isn't known whether copies were made. */
  void skip(Map<String, Reads> now) {
    now.forEach((name, reads) -> node(name).newReads(reads));
  }

  /**
   * Copies were made.
   *
   * @param factor from which on a DataNode is slowed
   */
  Seen copying(Map<String, Reads> now, double factor) {
    Set<String> slowed = new TreeSet<>();
    double[] sums = new double[2];
    long[] counts = new long[2];
    now.forEach(
        (name, reads) -> {
          Node node = node(name);
          long count = node.newReads(reads);
          counts[0] += count;
          if (count > 0 && !Double.isNaN(node.quietMillis)) {
            counts[1] += count;
            double quiet = Math.max(LEAST_MILLIS, node.quietMillis);
            sums[0] += count * Math.max(LEAST_MILLIS, reads.millis());
            sums[1] += count * quiet;
            if (count >= FEW && reads.millis() > factor * quiet) {
              slowed.add(name);
            }
          }
        });
    OptionalDouble ratio =
        counts[1] < FEW ? OptionalDouble.empty() : OptionalDouble.of(sums[0] / sums[1]);
    return new Seen(ratio, counts[0], slowed);
  }

  private Node node(String name) {
    return nodes.computeIfAbsent(name, first -> new Node());
  }

  private static final class Node {
    private double quietMillis = Double.NaN;
    private long count = -1;

    /** How many came since the last look; 0 where it was started anew, or hasn't said more. */
    long newReads(Reads now) {
      long came = count < 0 ? now.count() : now.count() - count;
      count = now.count();
      return Math.max(0, came);
    }
  }
}
