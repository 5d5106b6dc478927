// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.readorder;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.ServedCounters;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How far the shares of bytes that DataNodes served are from those that were expected of them. Both are added up over plans until
 * there are reads enough to tell more than chance. One thread adds up; any may ask.
 */
public final class NodeDifference {

  /** A larger difference is a finding. */
  public static final double BOUND = 0.15;

  /** With so many reads of each DataNode chance makes up about 4 points. */
  private static final long READS_PER_NODE = 100;

  private static final long LEAST_READS = 1_000;

  /** Of what a DataNode served between two plans; with more of it, what clients read isn't known. */
  private static final double MOST_COPIED = 0.05;

  private static final double MANY_TIMES = 2;

  private final long blockSize;

  /** By DataNode: bytes that were expected, and that were counted. */
  private final Map<String, double[]> sums = new HashMap<>();

  /** The same by type, of DataNodes that count by volume. */
  private final Map<StorageType, double[]> types = new EnumMap<>(StorageType.class);

  private Map<String, ServedCounters> before = Map.of();
  private Instant since = Instant.EPOCH;
  private long reads;
  private volatile Optional<Known> last = Optional.empty();

  /**
   * What came of enough reads.
   *
   * @param share of the bytes that other DataNodes served than expected, from 0 to 1
   * @param typeShare of the bytes that other storage types served than expected; empty where no DataNode counts by volume
   * @param times as many bytes as expected all of them served; infinite where none were expected
   * @param dataNodes that were compared
   */
  public record Known(
      double share,
      Optional<Double> typeShare,
      double times,
      int dataNodes,
      Instant since,
      Instant until) {

    /** What is likely to be the matter; empty where the difference is small. */
    public Optional<String> finding() {
      boolean isOfTypes = typeShare.orElse(0.0) > share;
      double larger = isOfTypes ? typeShare.get() : share;
      return larger <= BOUND
          ? Optional.empty()
          : Optional.of(
              String.format(
                  Locale.ROOT,
                  "%.0f %% of the bytes that DataNodes served came from other %s than estimated. Likely reason: %s",
                  100 * larger,
                  isOfTypes ? "storage types" : "DataNodes",
                  reason()));
    }

    private String reason() {
      if (times > MANY_TIMES) {
        return "reads that the audit log doesn't show as such. DataNodes served "
            + (Double.isInfinite(times)
                ? "bytes where none were"
                : String.format(Locale.ROOT, "%.1f times as many bytes as", times))
            + " expected: programs keep files open (HBase), scans and ignored users read, or files that aren't managed are"
            + " read";
      }
      if (times < 1 / MANY_TIMES) {
        return String.format(
            Locale.ROOT,
            "reads that DataNodes don't count. They served %.0f %% of the bytes that were expected: clients read"
                + " short-circuit, end reads early, or read parts of files",
            100 * times);
      }
      return "readers take other replicas than the read order says: clients with an order of their own"
          + " (thermocline.hints.read.order), dfs.namenode.read.considerLoad, slow DataNodes, or readers whose hosts the"
          + " audit log doesn't show";
    }
  }

  /**
   * @param blockSize the longest that a copy is taken to be
   */
  public NodeDifference(long blockSize) {
    this.blockSize = blockSize;
  }

  /**
   * A plan is made.
   *
   * @param expected bytes since the plan before, by DataNode and type
   * @param counted by DataNodes since they started; those that can't be asked aren't in it
   */
  public void planned(
      Map<String, Map<StorageType, Double>> expected,
      Map<String, ServedCounters> counted,
      Instant now) {
    if (sums.isEmpty()) {
      since = before.isEmpty() ? now : since;
    }
    counted.forEach(
        (node, counters) -> {
          ServedCounters more = counters.since(before.get(node));
          if (more != null && more.copies() * blockSize <= MOST_COPIED * more.bytes()) {
            add(node, expected.getOrDefault(node, Map.of()), more);
          }
        });
    before = Map.copyOf(counted);
    if (reads >= Math.max(LEAST_READS, READS_PER_NODE * sums.size())) {
      last = Optional.of(known(now));
      sums.clear();
      types.clear();
      reads = 0;
      since = now;
    }
  }

  private void add(String node, Map<StorageType, Double> expected, ServedCounters more) {
    double[] sum = sums.computeIfAbsent(node, any -> new double[2]);
    sum[0] += expected.values().stream().mapToDouble(Double::doubleValue).sum();
    sum[1] += more.bytes();
    reads += more.reads();
    long requests = more.requests().values().stream().mapToLong(Long::longValue).sum();
    if (requests > 0) {
      expected.forEach((type, bytes) -> ofType(type)[0] += bytes);
      more.requests()
          .forEach((type, count) -> ofType(type)[1] += (double) more.bytes() * count / requests);
    }
  }

  private double[] ofType(StorageType type) {
    return types.computeIfAbsent(type, any -> new double[2]);
  }

  private Known known(Instant now) {
    double expected = sum(sums.values(), 0);
    return new Known(
        apart(sums.values()),
        types.isEmpty() ? Optional.empty() : Optional.of(apart(types.values())),
        expected == 0 ? Double.POSITIVE_INFINITY : sum(sums.values(), 1) / expected,
        sums.size(),
        since,
        now);
  }

  private static double sum(Collection<double[]> sums, int of) {
    return sums.stream().mapToDouble(sum -> sum[of]).sum();
  }

  /** Half of all differences of shares; what is too much here is too little there. */
  private static double apart(Collection<double[]> sums) {
    double expected = sum(sums, 0);
    double counted = sum(sums, 1);
    return expected == 0
        ? 1
        : sums.stream()
                .mapToDouble(sum -> Math.abs(share(sum[0], expected) - share(sum[1], counted)))
                .sum()
            / 2;
  }

  private static double share(double part, double all) {
    return all == 0 ? 0 : part / all;
  }

  /** Of the last time that there were reads enough; empty before the first. */
  public Optional<Known> last() {
    return last;
  }
}
