// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The audit log of a made-up cluster, and what its DataNodes read meanwhile. Log and truth come of the same clients: each
 * opens, asks for locations again each ten blocks, and reads what a program of its kind reads. The same settings and seed
 * give the same lines. Memory depends on the files and on the clients at one time, not on the lines.
 *
 * <p>What short-circuit reads spare DataNodes is not modeled.
 */
public final class GeneratedAuditLog {

  private GeneratedAuditLog() {}

  /**
   * @param tables of several hundred files each
   * @param start of the first line
   * @param duration of the log
   * @param every average time between two jobs of one load
   * @param pageCache bytes of each DataNode's memory for the blocks that were read last; what is found there, its disks don't
   *     read
   */
  public record Settings(
      int tables, Instant start, Duration duration, Duration every, long pageCache) {}

  /**
   * Writes the log.
   *
   * @param out takes lines of ASCII
   * @param traces takes the lines of the DataNodes that log what they serve, one in ten; null: none does
   * @return all files of the namespace that the loads read from, those too that none read
   */
  public static List<FileReads> write(
      Appendable out,
      Appendable traces,
      Set<AuditLoad> loads,
      Settings settings,
      SplittableRandom random) {
    long duration = settings.duration().toMillis();
    EventQueue events = new EventQueue(settings.start().toEpochMilli());
    AuditTrail trail = new AuditTrail(out);
    Warehouse warehouse = new Warehouse("/warehouse", settings.tables(), 0.3, 8, random.split());
    Warehouse reported = new Warehouse("/reports", settings.tables(), 1, 3, random.split());
    SplittableRandom jobsRandom = random.split();
    SplittableRandom reportsRandom = random.split();
    SplittableRandom othersRandom = random.split();
    Readers readers =
        new Readers(events, trail, new DataNodeTrail(traces, settings.pageCache(), random.split()));
    JobLoads jobs = new JobLoads(0, warehouse, events, trail, readers, jobsRandom, duration);
    JobLoads reports =
        new JobLoads(50_000, reported, events, trail, readers, reportsRandom, duration);
    OtherLoads others = new OtherLoads(events, trail, readers, othersRandom, duration);
    Map<AuditLoad.Data, List<DataFile>> files = new EnumMap<>(AuditLoad.Data.class);
    for (AuditLoad load : EnumSet.copyOf(loads)) {
      long every = settings.every().toMillis();
      switch (load.data) {
        case WAREHOUSE -> {
          files.computeIfAbsent(load.data, data -> warehouse.files());
          jobs.start(load, every);
        }
        case REPORTS -> {
          files.computeIfAbsent(load.data, data -> reported.files());
          reports.start(load, every);
        }
        default -> {
          files.computeIfAbsent(load.data, others::files);
          others.start(load, every);
        }
      }
    }
    events.runUntil(settings.start().toEpochMilli() + duration);
    List<FileReads> reads = new ArrayList<>();
    files.values().forEach(some -> some.forEach(file -> reads.add(file.reads())));
    return reads;
  }
}
