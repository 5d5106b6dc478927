// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.audit.DataNodeTrail;
import io.thermocline.testbed.audit.FileReads;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AccessSink;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.CandidateBlocks;
import io.thermocline.tiering.observe.ClientTraceSource;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.observe.LogPositions;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** What the service makes of an audit log, with the settings of conf/thermocline.yaml: all that the judge asks of it. */
final class ProductHeat {
  private static final String NAMESERVICE = "nameservice1";
  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final long FILES = 4_000_000;
  private static final long BYTES_AT_ONCE = 64L << 20;

  /** Of two hours, one each five minutes. */
  private static final int PLANS = 24;

  private final Heat heat;
  private final ReadCalibration calibration = new ReadCalibration(HALF_LIFE);
  private final Function<FileReads, FileView> views;
  private final LineCounts counts;

  /**
   * Learns from the audit log alone.
   *
   * @param views of files
   * @param pageCache how long page caches are taken to keep what was read
   * @param clock for lines without a time
   */
  ProductHeat(Path log, Function<FileReads, FileView> views, Duration pageCache, Clock clock)
      throws IOException {
    this.heat = heat(pageCache);
    this.views = views;
    try (AuditSource source = source(log, clock)) {
      while (source.poll(heat, BYTES_AT_ONCE)) {
        // Until the end of the log.
      }
      counts = source.counts();
    }
  }

  /**
   * Learns from DataNodes' logs too, as with plans in between.
   *
   * @param trace of some DataNodes
   * @param files of the namespace
   * @param views of these
   */
  ProductHeat(
      Path log, Path trace, List<FileReads> files, Function<FileReads, FileView> views, Clock clock)
      throws IOException {
    this.heat = heat(Duration.ZERO);
    this.views = views;
    Map<String, FileView> byPath = new HashMap<>();
    files.forEach(file -> byPath.put(file.path(), views.apply(file)));
    long[] newest = {Long.MIN_VALUE};
    AccessSink sink =
        access -> {
          if (access.kind() == Access.Kind.READ) {
            newest[0] = Math.max(newest[0], access.timeMillis());
          }
          heat.accept(access);
        };
    long bytes = Math.max(1, Files.size(log) / PLANS);
    try (AuditSource source = source(log, clock);
        ClientTraceSource traces =
            new ClientTraceSource(trace, LogStart.BEGINNING, LogPositions.none(), ZoneOffset.UTC)) {
      boolean more = true;
      while (more) {
        more = source.poll(sink, bytes);
        List<FileView> hottest =
            heat.profiles().stream()
                .sorted(Comparator.comparingDouble(Profile::heat).reversed())
                .map(profile -> byPath.get(profile.path()))
                .filter(Objects::nonNull)
                .toList();
        calibration.planned(hottest, heat, newest[0]);
        CandidateBlocks blocks = CandidateBlocks.NONE.next(hottest, Integer.MAX_VALUE, newest[0]);
        while (traces.poll(
            access -> calibration.read(access, blocks), BYTES_AT_ONCE, blocks.asOfMillis())) {
          // Up to the plan.
        }
      }
      calibration.planned(List.of(), heat, newest[0]);
      counts = source.counts();
    }
  }

  private static Heat heat(Duration pageCache) {
    return new Heat(HeatSettings.forFiles(HALF_LIFE, FILES).withPageCache(pageCache), NAMESERVICE);
  }

  private static AuditSource source(Path log, Clock clock) throws IOException {
    return new AuditSource(
        List.of(new AuditLog(NAMESERVICE, log, ZoneOffset.UTC, null)),
        LogStart.BEGINNING,
        AccessSettings.defaults(AccessSettings.Ignored.nothing()),
        SourceCheckpoint.none(),
        clock);
  }

  LineCounts counts() {
    return counts;
  }

  /** What decisions rank the file by. */
  double rank(FileReads file) {
    return hot(file).rank();
  }

  /** Time of a disk's head that the heat stands for: a read is one of the whole file, block by block. */
  double diskSeconds(FileReads file, double seek, double rate) {
    return hot(file).heat() * (file.blocks() * seek + file.length() / rate);
  }

  private HotFile hot(FileReads file) {
    return calibration.opened(views.apply(file), heat.opens(file.path()));
  }

  /** A file of a generated log, with blocks as {@link DataNodeTrail} places them. */
  static FileView generated(FileReads file) {
    List<FileView.Block> blocks = new ArrayList<>();
    for (int block = 0; block < file.blocks(); block++) {
      long start = block * file.blockSize();
      long length = Math.min(file.blockSize(), file.length() - start);
      long id = DataNodeTrail.blockId(file.path(), block);
      List<FileView.Replica> replicas =
          DataNodeTrail.dataNodes(id).stream()
              .map(node -> new FileView.Replica(node, node, StorageType.DISK))
              .toList();
      blocks.add(new FileView.Block("BP-1-10.1.0.1-1", id, 0, length, replicas));
    }
    return new FileView(file.path(), file.length(), 3, 0, blocks);
  }
}
