// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.bench.papers.DevicePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The workloads of sections 4.5 and 4.6, in the size that is wanted; the same for the same seed. Immutable. */
final class Workloads {
  /** The SSDs' share of all capacity, and what section 3.4.1 names. */
  private static final SuoraStore.Watermarks ROOMY = new SuoraStore.Watermarks(1 / 6.0, 0.9);

  /** Section 4.6. */
  private static final SuoraStore.Watermarks SCARCE = new SuoraStore.Watermarks(0.1, 0.2);

  /** Clients of FIO, and jobs of a client. */
  private static final int EIGHT = 8;

  private static final long KB = 1 << 10;

  /** Figure 13(c) and (d). */
  private static final long HALF_A_MEGABYTE = 512 * KB;

  /** Fewer than the highest threshold, so that nothing gets hot where all is read alike. */
  private static final double ZIPF_READS = 20;

  /** So much that what gets hot in it is more than W_u of the SSDs, 2 TB in all. */
  private static final double APPLICATION_BYTES = 2.5e12;

  /**
   * Table 6.
   *
   * @param requestBytes the whole file, or the I/O size
   * @param requests one after the other: 16 MB at a time of a file of 1 GB
   */
  private record Application(String name, long requestBytes, int requests) {}

  private static final List<Application> TABLE_6 =
      List.of(
          new Application("fileserv", 256 * KB, 1),
          new Application("varmail", 32 * KB, 1),
          new Application("webserver", 256 * KB, 1),
          new Application("video", 1 << 20, 16),
          new Application("randomrw", 64 * KB, 1));

  private static final DevicePattern RANDREAD = DevicePattern.ALL.get(0);
  private static final DevicePattern RANDRW = DevicePattern.ALL.get(1);

  private final int fioObjectsOfClient;
  private final int divisor;
  private final long seed;

  /**
   * @param fioObjectsOfClient 160 are the 10 GB of section 4.3
   * @param divisor by which the data of applications, and the testbed's capacities with it, are made smaller
   */
  Workloads(int fioObjectsOfClient, int divisor, long seed) {
    this.fioObjectsOfClient = fioObjectsOfClient;
    this.divisor = divisor;
    this.seed = seed;
  }

  /** Figure 13(a) and (b): random reads in the pattern of FIO-randread, by request size. */
  List<Workload> bySize() {
    return List.of(4, 16, 64, 256, 1024).stream()
        .map(kb -> fio("size_" + kb + "kb", kb * KB, of(RANDREAD)))
        .toList();
  }

  /** The patterns of table 5. */
  List<Workload> byPattern(String prefix) {
    return DevicePattern.ALL.stream()
        .map(pattern -> fio(prefix + pattern.field(), HALF_A_MEGABYTE, of(pattern)))
        .toList();
  }

  /** FIO-randread with one request at a time, as equation 3 adds up. */
  Workload oneByOne() {
    return new Workload("one_by_one", 1, 1, List.of(of(RANDREAD)), HALF_A_MEGABYTE, 1, 1, ROOMY);
  }

  /** Figure 13(c) and (d), Zipf within the file of each client. */
  List<Workload> bySkew() {
    List<Workload> all = new ArrayList<>();
    for (int tenths = 0; tenths <= 12; tenths += 2) {
      all.add(
          fio(
              String.format(Locale.ROOT, "zipf_%dp%d", tenths / 10, tenths % 10),
              HALF_A_MEGABYTE,
              Popularity.zipf(tenths / 10.0, EIGHT, fioObjectsOfClient, ZIPF_READS, seed)));
    }
    return all;
  }

  private Popularity of(DevicePattern pattern) {
    return Popularity.of(pattern, EIGHT * fioObjectsOfClient, seed);
  }

  private static Workload fio(String field, long requestBytes, Popularity objects) {
    return new Workload(field, EIGHT, EIGHT, List.of(objects), requestBytes, 1, 1, ROOMY);
  }

  /**
   * Figure 13(e) and (f): the applications of table 6, each with as many writes as reads and with ten reads to a write.
   * One client; two data sets, one after the other, each with more that gets hot than there is room for.
   */
  List<Workload> applications() {
    int objects = (int) (APPLICATION_BYTES / divisor / Testbed.OBJECT_BYTES);
    List<Popularity> dataSets =
        List.of(Popularity.of(RANDRW, objects, seed), Popularity.of(RANDRW, objects, -seed - 1));
    List<Workload> all = new ArrayList<>();
    for (Application application : TABLE_6) {
      for (int readsToWrite : new int[] {1, 10}) {
        all.add(
            new Workload(
                application.name + "_" + readsToWrite + "to1",
                1,
                EIGHT,
                dataSets,
                application.requestBytes,
                application.requests,
                readsToWrite / (readsToWrite + 1.0),
                SCARCE));
      }
    }
    return all;
  }
}
