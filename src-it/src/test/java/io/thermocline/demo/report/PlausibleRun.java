// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A made-up run of two minutes, of the shape of a real one: seeded, so that it is always the same. */
final class PlausibleRun {

  private static final int SECONDS = 120;
  private static final int TIERING_STARTS = 40;
  private static final long GB = 1_000_000_000L;

  private final Random random;
  private final long seed;

  PlausibleRun(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  RunRecord record() {
    List<TierWindow> before =
        List.of(
            new TierWindow(StorageType.ARCHIVE, 2210, 31 * GB),
            new TierWindow(StorageType.DISK, 3688, 52 * GB),
            new TierWindow(StorageType.SSD, 121, 2 * GB),
            new TierWindow(StorageType.NVDIMM, 0, 0));
    List<TierWindow> after =
        List.of(
            new TierWindow(StorageType.ARCHIVE, 410, 8 * GB),
            new TierWindow(StorageType.DISK, 1935, 29 * GB),
            new TierWindow(StorageType.SSD, 2287, 31 * GB),
            new TierWindow(StorageType.NVDIMM, 1381, 17 * GB));
    return new RunRecord(figures(before, after), before, after, samples(), heat(), decisions());
  }

  private Map<String, Object> figures(List<TierWindow> before, List<TierWindow> after) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("hadoop_version", "3.4.3");
    figures.put("seed", seed);
    figures.put("files", 2400);
    figures.put("blocks", 5120);
    figures.put("accesses_replayed", 18_213L);
    figures.put("audit_events", 18_340L);
    figures.put("moves_planned", 1230);
    figures.put("moves_verified", 1204);
    figures.put("moves_failed", 3);
    figures.put("bytes_moved", 38_212_334_112L);
    figures.put("fast_read_share_before", TierWindow.fastShareOfReads(before));
    figures.put("fast_read_share_after", TierWindow.fastShareOfReads(after));
    figures.put("fast_read_share_oracle", 0.684);
    figures.put("read_mb_per_s_before", 97.3);
    figures.put("read_mb_per_s_after", 212.8);
    figures.put("elapsed_seconds", 118.4);
    return figures;
  }

  private List<Sample> samples() {
    List<Sample> samples = new ArrayList<>();
    Map<StorageType, double[]> totals = new EnumMap<>(StorageType.class);
    for (int second = 0; second <= SECONDS; second++) {
      double progress = Math.min(1, Math.max(0, (second - TIERING_STARTS) / 45.0));
      boolean idle = second > 36 && second <= TIERING_STARTS;
      Map<StorageType, Sample.Tier> tiers = new EnumMap<>(StorageType.class);
      tier(
          tiers,
          totals,
          StorageType.ARCHIVE,
          400,
          .52 + .02 * progress,
          .37 - .30 * progress,
          idle);
      tier(tiers, totals, StorageType.DISK, 120, .71 - .12 * progress, .61 - .28 * progress, idle);
      tier(tiers, totals, StorageType.SSD, 24, .08 + .78 * progress, .02 + .36 * progress, idle);
      tier(tiers, totals, StorageType.NVDIMM, 6, .01 + .83 * progress, .22 * progress, idle);
      long verified = Math.round(1204 * progress);
      samples.add(
          new Sample(
              second,
              tiers,
              second * 153L,
              progress > 0 ? 1230 : 0,
              progress > 0 && progress < 1 ? 8 : 0,
              verified,
              progress > .5 ? 3 : 0));
    }
    return samples;
  }

  private void tier(
      Map<StorageType, Sample.Tier> tiers,
      Map<StorageType, double[]> totals,
      StorageType type,
      long capacityGb,
      double occupancy,
      double readShare,
      boolean idle) {
    double[] reads = totals.computeIfAbsent(type, key -> new double[1]);
    if (!idle) {
      reads[0] += 150 * readShare * (.75 + .5 * random.nextDouble());
    }
    double upper = type == StorageType.ARCHIVE ? 1 : .9;
    double lower = type == StorageType.ARCHIVE ? 0 : .7;
    tiers.put(
        type,
        new Sample.Tier(
            (long) (occupancy * capacityGb * GB),
            capacityGb * GB,
            upper,
            lower,
            (long) reads[0],
            (long) (reads[0] * 14_000_000)));
  }

  private HeatMap heat() {
    String[] roots = {
      "/warehouse/orders", "/warehouse/clicks", "/logs", "/ml/features", "/archive/2019"
    };
    List<String> directories = new ArrayList<>();
    for (String root : roots) {
      for (int part = 0; part < 5; part++) {
        directories.add(root + "/day=2025-11-0" + (part + 1));
      }
    }
    double[] seconds = new double[SECONDS / 2];
    double[][] heat = new double[seconds.length][directories.size()];
    for (int time = 0; time < seconds.length; time++) {
      seconds[time] = time * 2;
      for (int d = 0; d < directories.size(); d++) {
        double base = 900 / Math.pow(1 + d * 7 % directories.size(), 1.3);
        double wave = d % 6 == 2 && time > 30 ? 260 : 0;
        double rise = 1 - Math.exp(-time / 8.0);
        heat[time][d] = (base + wave) * rise * (.85 + .3 * random.nextDouble());
      }
    }
    return new HeatMap(directories, seconds, heat);
  }

  private static List<Decision> decisions() {
    return List.of(
        new Decision(
            "/warehouse/orders/day=2025-11-01/part-00017.parquet",
            "DISK \u00d7 3",
            "SSD, DISK \u00d7 2",
            "hotness 281 is above the threshold 26 of SSD; rank 4 of 2,400 by heat per byte; SSD is"
                + " 41 % full, under its upper watermark of 90 %"),
        new Decision(
            "/warehouse/orders/day=2025-11-01/part-00003.parquet",
            "SSD, DISK \u00d7 2",
            "NVDIMM, DISK \u00d7 2",
            "hotness 612 is above the threshold 306 of NVDIMM; rank 1 of 2,400; 184 MB fit the"
                + " 1.1 GB that are free there"),
        new Decision(
            "/logs/day=2025-11-02/app-7.log",
            "DISK \u00d7 3",
            "ARCHIVE \u00d7 2, DISK",
            "hotness 0 for 40 s is under the threshold 1 of DISK; DISK is 93 % full, over its upper"
                + " watermark of 90 %"),
        new Decision(
            "/ml/features/day=2025-11-04/" + "very-long-name-".repeat(8) + "0001.orc",
            "ARCHIVE \u00d7 3",
            "DISK \u00d7 3",
            "hotness 9 is above the threshold 1 of DISK; two moves a replica are within the budget of"
                + " 64"));
  }
}
