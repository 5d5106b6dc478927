// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import io.thermocline.bench.FlatJson;
import io.thermocline.testbed.audit.AuditLoad;
import io.thermocline.testbed.audit.FileReads;
import io.thermocline.testbed.audit.GeneratedAuditLog;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Heat of generated audit logs, of each load alone and of all together, beside what was really read. */
public final class GeneratedTruth {
  private static final String ALL = "mix";

  /** Gets of HBase leave no line: what could be found without them. */
  private static final String ALL_BUT_HBASE = "mix_but_hbase";

  /** Bytes a second that a DataNode's disks are taken to read, by which the service is told how long page caches keep a block. */
  private static final long READ_RATE = 100_000_000;

  private final GeneratedAuditLog.Settings settings;
  private final HeatVerdict.Disk disk;
  private final long seed;
  private final Clock clock;

  /**
   * @param seek seconds of a disk's head for each block read
   * @param rate bytes a second of a disk
   * @param clock for lines without a time
   */
  public GeneratedTruth(
      GeneratedAuditLog.Settings settings, double seek, double rate, long seed, Clock clock) {
    this.settings = settings;
    this.disk = new HeatVerdict.Disk(seek, rate);
    this.seed = seed;
    this.clock = clock;
  }

  /**
   * Judges, and prints a table and one line of JSON.
   *
   * @param directory for the logs, and for what was read of each file as a table; stays as it is
   * @param keeps whether the logs stay there
   */
  public void run(Path directory, boolean keeps) throws IOException {
    Map<String, Object> report = new TreeMap<>();
    report.put("benchmark", "heat_truth");
    report.put("seed", seed);
    report.put("tables", settings.tables());
    report.put("hours", settings.duration().toMinutes() / 60.0);
    report.put("page_cache_bytes", settings.pageCache());
    report.put("seek_seconds", disk.seek());
    report.put("bytes_per_second", disk.rate());
    System.out.println(HeatVerdict.header());
    long malformed = 0;
    for (AuditLoad load : AuditLoad.values()) {
      malformed += say(load.fieldName(), EnumSet.of(load), directory, keeps, report);
    }
    malformed +=
        say(
            ALL_BUT_HBASE,
            EnumSet.complementOf(EnumSet.of(AuditLoad.HBASE)),
            directory,
            keeps,
            report);
    malformed += say(ALL, EnumSet.allOf(AuditLoad.class), directory, keeps, report);
    report.put("malformed", malformed);
    System.out.println(FlatJson.of(report));
  }

  private long say(
      String name, Set<AuditLoad> loads, Path directory, boolean keeps, Map<String, Object> report)
      throws IOException {
    Path log = directory.resolve("hdfs-audit-" + name + ".log");
    try {
      HeatVerdict verdict = judge(loads, log, keeps);
      verdict.put(name, report);
      System.out.println(verdict.row(name));
      return verdict.malformed();
    } finally {
      if (!keeps) {
        Files.deleteIfExists(log);
        Files.deleteIfExists(trace(log));
      }
    }
  }

  private static Path trace(Path log) {
    return log.resolveSibling(log.getFileName() + ".clienttrace");
  }

  /** @param keepsTruth whether what was read of each file is written beside the log */
  HeatVerdict judge(Set<AuditLoad> loads, Path log, boolean keepsTruth) throws IOException {
    List<FileReads> files;
    Path trace = trace(log);
    try (BufferedWriter out = Files.newBufferedWriter(log);
        BufferedWriter traces = Files.newBufferedWriter(trace)) {
      files = GeneratedAuditLog.write(out, traces, loads, settings, new SplittableRandom(seed));
    }
    if (keepsTruth) {
      disk.writeTruth(log, files);
    }
    return HeatVerdict.of(
        log,
        trace,
        files,
        ProductHeat::generated,
        Duration.ofSeconds(settings.pageCache() / READ_RATE),
        disk,
        clock);
  }
}
