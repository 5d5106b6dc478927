// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
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
   * from. What reads take scatters by factors, and one that took long makes a mean of a hundred
   * twice what it was. So medians count: of some quiet times of late, and over the DataNodes, each by
   * its reads. Half of all reads have to be slower before copies of the whole cluster give way; a single
   * DataNode whose reads are slow is told apart.
   */

  /** Quiet times that are remembered: few enough that what is read may change over a day. */
  private static final int QUIET_TIMES = 9;

  /** Reads below which a mean says little. */
  private static final long FEW = 20;

  /** DataNodes count whole milliseconds of each read: a mean below one is how many met a tick. */
  private static final double LEAST_MILLIS = 1.0;

  private final Map<String, Node> nodes = new HashMap<>();

  /** What was compared since the last time that it was enough to tell. */
  private final List<Compared> compared = new ArrayList<>();

  /**
   * What a DataNode says of reads of its blocks by clients; copies aren't among them.
   *
   * @param count since it started
   * @param millis that one took on average, of those of late
   * @param writes of replicas by clients, since it started
   */
  public record Reads(long count, double millis, long writes) {
    Reads(long count, double millis) {
      this(count, millis, 0);
    }
  }

  /**
   * What one look says.
   *
   * @param ratio what reads took over what they take in quiet times, of the DataNode that half of the
   *     reads are above; empty where too few came as yet: those of several looks add up
   * @param reads that came since the last look
   * @param slowed DataNodes where it is above what was asked
   */
  record Seen(OptionalDouble ratio, long reads, Set<String> slowed) {}

  /** No copy was made in the time that this is about. */
  void quiet(Map<String, Reads> now) {
    compared.clear();
    now.forEach(
        (name, reads) -> {
          Node node = node(name);
          if (node.newReads(reads) > 0) {
            node.quiet(reads.millis());
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
    long all = 0;
    for (Map.Entry<String, Reads> each : now.entrySet()) {
      Node node = node(each.getKey());
      long count = node.newReads(each.getValue());
      all += count;
      if (count > 0 && !node.quiet.isEmpty()) {
        double ratio = Math.max(LEAST_MILLIS, each.getValue().millis()) / node.quietMillis();
        compared.add(new Compared(ratio, count));
        if (count >= FEW && ratio > factor) {
          slowed.add(each.getKey());
        }
      }
    }
    OptionalDouble median = median(compared);
    if (median.isPresent()) {
      compared.clear();
    }
    return new Seen(median, all, slowed);
  }

  private record Compared(double ratio, long reads) {}

  private static OptionalDouble median(List<Compared> all) {
    long reads = all.stream().mapToLong(Compared::reads).sum();
    if (reads < FEW) {
      return OptionalDouble.empty();
    }
    all.sort(Comparator.comparingDouble(Compared::ratio));
    long below = 0;
    int at = 0;
    while (2 * (below + all.get(at).reads()) < reads) {
      below += all.get(at++).reads();
    }
    return OptionalDouble.of(all.get(at).ratio());
  }

  private Node node(String name) {
    return nodes.computeIfAbsent(name, first -> new Node());
  }

  private static final class Node {
    /** What reads took on average, the latest last. */
    private final Deque<Double> quiet = new ArrayDeque<>();

    private long count = -1;

    void quiet(double millis) {
      quiet.add(Math.max(LEAST_MILLIS, millis));
      if (quiet.size() > QUIET_TIMES) {
        quiet.remove();
      }
    }

    double quietMillis() {
      double[] sorted = quiet.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return sorted[sorted.length / 2];
    }

    /** How many came since the last look; 0 where it was started anew, or hasn't said more. */
    long newReads(Reads now) {
      long came = count < 0 ? now.count() : now.count() - count;
      count = now.count();
      return Math.max(0, came);
    }
  }
}
