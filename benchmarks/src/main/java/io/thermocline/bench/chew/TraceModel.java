// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import java.util.List;

/**
 * What a generated trace is matched to: tables 3.3 and 3.4, the settings of section 3.5, and what the paper doesn't tell,
 * chosen. docs/evidence/chew.md says which is which.
 *
 * @param readBytes mean of a read
 * @param writeBytes mean of a write
 * @param top5Requests share of requests that go to 5 % of the chunks
 * @param top20Requests to 20 %
 * @param top5Bytes share of bytes that go to the same 5 %
 * @param top20Bytes to 20 %
 * @param uses of chunks of the three classes: the first 5 %, the next 15 %, the others
 * @param busyParts share of the parts of a chunk that are used at all
 * @param coldAtWork share of the epochs in which a chunk of the third class is used
 * @param drift share of the second class that changes places with the third from epoch to epoch
 * @param burst mean requests in a burst, above 1
 * @param gapSeconds mean time between them
 */
record TraceModel(
    String name,
    long volumeBytes,
    long scmBytes,
    long ssdBytes,
    double epochSeconds,
    int requestsPerEpoch,
    double readBytes,
    double writeBytes,
    double top5Requests,
    double top20Requests,
    double top5Bytes,
    double top20Bytes,
    List<Uses> uses,
    double busyParts,
    double coldAtWork,
    double drift,
    double burst,
    double gapSeconds) {

  private static final long GB = 1L << 30;

  /**
   * How a chunk is used.
   *
   * @param writeShare of its requests
   * @param area share of a part that requests go to at random; what is small is overwritten
   */
  record Use(boolean sequential, double writeShare, double area) {}

  /** Uses with how often each is met. */
  record Uses(List<Use> uses, List<Double> shares) {
    Use pick(double at) {
      double sum = 0;
      for (int i = 0; i < uses.size(); i++) {
        sum += shares.get(i);
        if (at < sum) {
          return uses.get(i);
        }
      }
      return uses.get(uses.size() - 1);
    }
  }

  /** By how much requests to chunks of this class are larger than the mean. */
  double sizeFactor(int rankClass) {
    return switch (rankClass) {
      case 0 -> top5Bytes / top5Requests;
      case 1 -> (top20Bytes - top5Bytes) / (top20Requests - top5Requests);
      default -> (1 - top20Bytes) / (1 - top20Requests);
    };
  }

  private static final double SMALL_AREA = 0.03;
  private static final double LOG_AREA = 0.0005;

  private static Use overwritten(double writeShare) {
    return new Use(false, writeShare, SMALL_AREA);
  }

  /** A few places written again and again, and rarely. */
  private static Use log(double writeShare) {
    return new Use(false, writeShare, LOG_AREA);
  }

  private static Use random(double writeShare) {
    return new Use(false, writeShare, 1);
  }

  private static Use sequential(double writeShare) {
    return new Use(true, writeShare, 1);
  }

  /** Writes all over, most of them to few places (MSR Cambridge, a web proxy). */
  static final TraceModel PRXY_0 =
      new TraceModel(
          "prxy_0",
          83 * Extents.CHUNK,
          2 * GB,
          10 * GB,
          45 * 60,
          18_000,
          8_300,
          4_600,
          0.65,
          0.94,
          0.54,
          0.89,
          List.of(
              new Uses(List.of(overwritten(0.99)), List.of(1.0)),
              new Uses(List.of(overwritten(0.97), random(0.97)), List.of(0.55, 0.45)),
              new Uses(List.of(random(0.95), random(0.3), log(0.95)), List.of(0.66, 0.16, 0.18))),
          0.6,
          0.4,
          0.03,
          4,
          0.002);

  /** Reads of large files, hardly any of them twice (MSR Cambridge, project directories). */
  static final TraceModel PROJ_2 =
      new TraceModel(
          "proj_2",
          3264 * Extents.CHUNK,
          10 * GB,
          40 * GB,
          60 * 60,
          19_000,
          41_500,
          48_000,
          0.21,
          0.48,
          0.14,
          0.45,
          List.of(
              new Uses(List.of(random(0.1), overwritten(0.5)), List.of(0.85, 0.15)),
              new Uses(List.of(random(0.1), sequential(0.1)), List.of(0.6, 0.4)),
              new Uses(List.of(random(0.05), sequential(0.15)), List.of(0.4, 0.6))),
          0.6,
          0.3,
          0.03,
          8,
          0.002);

  /** Blocks of HDFS: written in sequence, read in sequence and at random (NetApp). */
  static final TraceModel HADOOP13 =
      new TraceModel(
          "hadoop13",
          1600 * Extents.CHUNK,
          10 * GB,
          100 * GB,
          20 * 60,
          18_000,
          64_000,
          590_000,
          0.1331,
          0.4327,
          0.3127,
          0.5667,
          List.of(
              new Uses(List.of(sequential(0.4), random(0.05)), List.of(0.6, 0.4)),
              new Uses(List.of(random(0.05), sequential(0.4)), List.of(0.6, 0.4)),
              new Uses(List.of(random(0.05), sequential(0.3)), List.of(0.5, 0.5))),
          0.7,
          0.3,
          0.03,
          8,
          0.002);

  /** Backups, written in sequence and read back (NetApp). */
  static final TraceModel BACKUP15 =
      new TraceModel(
          "backup15",
          1200 * Extents.CHUNK,
          10 * GB,
          100 * GB,
          20 * 60,
          18_000,
          128_000,
          239_000,
          0.5979,
          0.9639,
          0.5963,
          0.9767,
          List.of(
              new Uses(List.of(sequential(0.4), random(0.3)), List.of(0.7, 0.3)),
              new Uses(
                  List.of(sequential(0.4), random(0.4), overwritten(0.8)),
                  List.of(0.65, 0.28, 0.07)),
              new Uses(List.of(sequential(0.4), random(0.3)), List.of(0.7, 0.3))),
          0.7,
          0.2,
          0.05,
          8,
          0.002);

  static final List<TraceModel> ALL = List.of(PRXY_0, PROJ_2, HADOOP13, BACKUP15);
}
