// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.PolicyFactory;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** All policies that are compared, in the order of the tables. */
public final class Policies {
  private static final double HOUR = 3_600_000_000.0;

  /** Half-life of LRFU, six hours, as the service's own default. */
  private static final double LRFU_HALF_LIFE = 6 * HOUR;

  /** EXD's rate of 1.16e-8 a millisecond, as half-life: log(2) / rate. */
  private static final double EXD_HALF_LIFE = Math.log(2) / 1.16e-8 * 1_000;

  private static final long EPOCH = 1_200_000_000L;

  private static final int GDSF_FILTER = 300;

  private static final long UNSEEN_FROM = 100_000_000_000L;

  private Policies() {}

  /** The one that knows the future, which the others' figures are shares of. */
  public static PolicyFactory oracle() {
    return new PolicyFactory(
        "oracle",
        "clairvoyant oracle",
        at -> new Clairvoyant(at.trace(), at.tiers(), at.home(), Long.MAX_VALUE));
  }

  /** The oracle, but of large files it knows nothing when it sees them for the first time. */
  public static PolicyFactory oracleOfSecondReads() {
    return new PolicyFactory(
        "second_reads",
        "clairvoyant from the second read on, where a file has 100 GB or more",
        at -> new Clairvoyant(at.trace(), at.tiers(), at.home(), UNSEEN_FROM));
  }

  /** What the service learns by, as a cache: without thresholds, gate, residency, budgets and pauses of the service. */
  public static PolicyFactory learnedCache() {
    return new PolicyFactory(
        "learned_cache",
        "learned admission as a cache",
        at -> new ByAdmissionModel(at.tiers().get(at.tiers().size() - 1).capacityBytes()));
  }

  /** Nothing moves. */
  public static PolicyFactory stock() {
    return new PolicyFactory("stock", "stock HDFS, all DISK", at -> new StockHdfs());
  }

  /** All but the oracle and the service, which needs nodes and a configuration. */
  public static List<PolicyFactory> compared() {
    return Stream.concat(Stream.of(learnedCache()), baselines().stream()).toList();
  }

  /** The policies of others. */
  public static List<PolicyFactory> baselines() {
    return List.of(
        stock(),
        new PolicyFactory(
            "manual",
            "most accessed files of the first hour, set once",
            at -> EpochTiering.manual(at.trace().files().size(), (long) HOUR)),
        ranked("lru", "LRU", files -> new Recency()),
        ranked("lfu", "LFU", Frequency::new),
        ranked(
            "lrfu", "LRFU", files -> new DecayedCount(files, LRFU_HALF_LIFE, Merit.Entry.ALWAYS)),
        ranked(
            "exd", "EXD", files -> new DecayedCount(files, EXD_HALF_LIFE, Merit.Entry.BEATS_SUM)),
        ranked("gdsf", "GreedyDual-Size-Frequency", files -> new GreedyDualSizeFrequency(files, 0)),
        ranked(
            "gdsf_filtered",
            "GreedyDual-Size-Frequency, at first sight only files under a 300th of the tier",
            files -> new GreedyDualSizeFrequency(files, GDSF_FILTER)),
        cache("sieve", "SIEVE", Sieve::new),
        cache("s3fifo", "S3-FIFO", SmallMainGhost::new),
        ranked("osa", "OSA with LRU, of Octopus++", files -> new OnSingleAccess()),
        new PolicyFactory(
            "ssm",
            "SSM's rules: accessCount(5m) > 3 up, unaccessed for an hour down",
            at -> new CountAndAge(at.trace().files().size(), (long) HOUR)),
        new PolicyFactory(
            "iops",
            "accesses of the last 20 minutes alone",
            at -> EpochTiering.byAccesses(at.trace().files().size(), EPOCH)),
        new PolicyFactory(
            "edt",
            "EDT, epochs of 20 minutes",
            at -> EpochTiering.edt(at.trace().files().size(), EPOCH)),
        ranked("age", "younger than an hour", files -> new StaticAge(files, (long) HOUR)));
  }

  private static PolicyFactory cache(String name, String title, CachePolicy.Kind kind) {
    return new PolicyFactory(
        name,
        title,
        at -> new CachePolicy(kind, at.tiers().get(at.tiers().size() - 1).capacityBytes()));
  }

  private static PolicyFactory ranked(String name, String title, IntFunction<Merit> merit) {
    return new PolicyFactory(
        name,
        title,
        at -> {
          int files = at.trace().files().size();
          return new RankedPolicy(merit.apply(files), files);
        });
  }
}
