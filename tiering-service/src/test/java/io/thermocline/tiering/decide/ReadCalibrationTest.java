// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.CandidateBlocks;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.observe.ReadExtent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadCalibrationTest {
  private static final String NAMESERVICE = "ns1";
  private static final long MB = 1_000_000;
  private static final long MINUTE = 60_000;
  private static final Duration HALF_LIFE = Duration.ofHours(6);

  private final Heat heat =
      new Heat(new HeatSettings(HALF_LIFE, 1 << 20, 20_000, 1_000, 100), NAMESERVICE);
  private final ReadCalibration calibration = new ReadCalibration(HALF_LIFE);
  private final List<FileView> files = new ArrayList<>();
  private CandidateBlocks blocks = CandidateBlocks.NONE;
  private long now;

  /** Its replicas lie on dn0, dn1 and dn2. */
  private FileView file(String path) {
    long id = files.size();
    List<FileView.Replica> replicas =
        IntStream.range(0, 3)
            .mapToObj(node -> new FileView.Replica("dn" + node, "s", StorageType.DISK))
            .toList();
    FileView file =
        new FileView(
            path, 150 * MB, 3, 0, List.of(new FileView.Block("BP", id, 1, 150 * MB, replicas)));
    files.add(file);
    return file;
  }

  private void open(FileView file, int times) {
    for (int i = 0; i < times; i++) {
      heat.accept(new Open(file.path(), now));
    }
  }

  private void plan() {
    now += 5 * MINUTE;
    heat.advance(now);
    calibration.planned(files, heat, now);
    blocks = CandidateBlocks.NONE.next(files, Integer.MAX_VALUE, now);
  }

  /** Reads of the whole block, of which dn0 logs one in three. */
  private void served(FileView file, int reads) {
    for (int i = 0; i < reads / 3; i++) {
      calibration.read(new Read(file.blocks().get(0).id(), 150 * MB, now), blocks);
    }
  }

  private double ratio(FileView file) {
    return calibration.opened(file, heat.opens(file.path())).heat()
        / HotFile.opened(file, heat.opens(file.path())).heat();
  }

  /** What DataNodes serve from memory they log too: that the estimate is right says nothing of it. */
  @Test
  void pageCachesSpareDisksWhatDataNodesServe() {
    Heat withCaches =
        new Heat(
            new HeatSettings(HALF_LIFE, 1 << 20, 20_000, 1_000, 100)
                .withPageCache(Duration.ofMinutes(10)),
            NAMESERVICE);
    FileView file = file("/w/a/1");
    for (int i = 0; i < 100; i++) {
      withCaches.accept(new Open(file.path(), now));
    }
    double heatOfDisks = calibration.opened(file, withCaches.opens(file.path())).heat();
    assertEquals(3, heatOfDisks, 0.3, "each replica once");
    calibration.planned(files, withCaches, now);
    assertEquals(
        100, HotFile.opened(file, withCaches.opens(file.path())).heat(), 0.01, "all are served");
  }

  @Test
  void estimatesStayWhereNoDataNodeLogs() {
    FileView file = file("/w/a/1");
    plan();
    open(file, 100);
    plan();
    plan();
    assertEquals(1, ratio(file));
    assertEquals(List.of(), calibration.measured());
  }

  @Test
  void aDirectoryIsCorrectedByWhatItsFilesShow() {
    FileView twice = file("/w/a/1");
    FileView known = file("/w/b/1");
    FileView beside = file("/w/a/2");
    plan();
    open(twice, 30000);
    open(known, 30000);
    plan();
    served(twice, 60000);
    served(known, 30000);
    plan();
    assertEquals(2, ratio(twice), 0.02);
    assertEquals(1, ratio(known), 0.02);
    open(beside, 1);
    assertEquals(2, ratio(beside), 0.02, "by its directory");
    FileView elsewhere = file("/w/c/1");
    open(elsewhere, 1);
    assertEquals(1.5, ratio(elsewhere), 0.02, "by the directory above");
    ReadCalibration.Measured all = calibration.measured().get(0);
    assertEquals(ReadCalibration.Reader.WHOLE, all.reader());
    assertEquals(1.5, all.ratio(), 0.02);
  }

  @Test
  void fewReadsSayLittle() {
    FileView many = file("/w/a/1");
    FileView few = file("/w/b/1");
    plan();
    open(many, 300000);
    open(few, 1);
    plan();
    served(many, 300000);
    served(few, 30);
    plan();
    assertEquals(1, ratio(few), 0.05);
  }

  @Test
  void aBackupOfWhatIsColdMakesNothingHot() {
    FileView read = file("/w/a/1");
    FileView cold = file("/w/b/1");
    plan();
    open(read, 30000);
    plan();
    served(read, 30000);
    served(cold, 3);
    plan();
    assertEquals(0, calibration.opened(cold, heat.opens(cold.path())).heat());
  }

  @Test
  void whatHbaseReadsIsMeasured() {
    FileView hot = file("/hbase/data/default/t/r1/cf/1");
    FileView warm = file("/hbase/data/default/t/r2/cf/1");
    open(hot, 1);
    open(warm, 1);
    plan();
    plan();
    served(hot, 300000);
    served(warm, 30000);
    plan();
    assertEquals(300_000, calibration.opened(hot, heat.opens(hot.path())).heat(), 6_000);
    assertEquals(30_000, calibration.opened(warm, heat.opens(warm.path())).heat(), 1_500);
    assertTrue(Double.isNaN(calibration.measured().get(0).ratio()));
  }

  @Test
  void readersOfAKindAreCorrectedByThemselves() {
    List<FileView> read =
        Stream.of("whole", "columns", "tail").map(kind -> file("/w/a/" + kind)).toList();
    List<ReadExtent> extents = List.of(ReadExtent.WHOLE, ReadExtent.COLUMNS, ReadExtent.TAIL);
    plan();
    for (int i = 0; i < read.size(); i++) {
      for (int times = 0; times < 30_000; times++) {
        heat.accept(new Open(read.get(i).path(), now, extents.get(i)));
      }
    }
    plan();
    served(read.get(0), 30_000);
    served(read.get(1), 60_000);
    served(read.get(2), 300_000);
    // What is written is no read.
    calibration.read(
        new Read(BlockAccess.Kind.WRITE, read.get(0).blocks().get(0).id(), 150 * MB, now), blocks);
    plan();
    assertEquals(
        List.of(
            ReadCalibration.Reader.WHOLE,
            ReadCalibration.Reader.COLUMNS,
            ReadCalibration.Reader.TAIL),
        calibration.measured().stream().map(ReadCalibration.Measured::reader).toList());
    assertEquals(1, ratio(read.get(0)), 0.02);
    // A whole block takes 1.01 s, four requests for 0.3 of it 0.34 s.
    assertEquals(2 * 1.01 / 0.34, ratio(read.get(1)), 0.1);
    assertEquals(8, ratio(read.get(2)), "no estimate is corrected by more");
  }

  @Test
  void aLogThatStopsChangesNothing() {
    FileView file = file("/w/a/1");
    plan();
    open(file, 30000);
    plan();
    served(file, 60000);
    plan();
    double before = ratio(file);
    for (int i = 0; i < 24; i++) {
      open(file, i < 13 ? 0 : 30_000);
      plan();
    }
    assertEquals(before, ratio(file), 0.1, "what was seen cools, as heat does");
    assertEquals(0, calibration.dataNodes());
  }

  @Test
  void goesOnWithWhatWasSaved() {
    FileView file = file("/w/a/1");
    FileView gets = file("/hbase/data/default/t/r1/cf/1");
    plan();
    open(file, 30000);
    open(gets, 1);
    plan();
    served(file, 60000);
    served(gets, 30000);
    plan();
    ReadCalibration next = new ReadCalibration(HALF_LIFE);
    next.restore(calibration.saved());
    for (FileView each : files) {
      assertEquals(
          calibration.opened(each, heat.opens(each.path())).heat(),
          next.opened(each, heat.opens(each.path())).heat());
    }
    assertEquals(calibration.measured(), next.measured());
  }

  @Test
  void ofTooManyDirectoriesTheLeastReadCountAsTheOneAbove() {
    List<FileView> many =
        Stream.iterate(0, i -> i + 1).limit(17_000).map(i -> file("/w/d" + i + "/f")).toList();
    plan();
    many.forEach(file -> open(file, 3));
    plan();
    many.forEach(file -> served(file, 6));
    plan();
    assertTrue(calibration.merged() > 600);
    assertEquals(2, calibration.measured().get(0).ratio(), 0.01, "nothing is lost");
    // Heat itself takes one in some thousand files for another.
    long off = many.stream().filter(file -> Math.abs(ratio(file) - 2) > 0.05).count();
    assertTrue(off < 10, off + " files");
  }

  private record Open(String path, long timeMillis, ReadExtent extent) implements Access {
    Open(String path, long timeMillis) {
      this(path, timeMillis, ReadExtent.WHOLE);
    }

    @Override
    public Kind kind() {
      return Kind.READ;
    }

    @Override
    public long nameservice() {
      return PathKey.nameservice(NAMESERVICE);
    }

    @Override
    public long key() {
      return hashes().key();
    }

    @Override
    public PathHashes hashes() {
      return PathHashes.of(nameservice(), path);
    }

    @Override
    public String newPath() {
      return null;
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }
  }

  private record Read(Kind kind, long blockId, long bytes, long timeMillis) implements BlockAccess {
    Read(long blockId, long bytes, long timeMillis) {
      this(Kind.READ, blockId, bytes, timeMillis);
    }

    @Override
    public String poolId() {
      return "BP";
    }

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public long durationNanos() {
      return 0;
    }

    @Override
    public String client() {
      return "c";
    }

    @Override
    public String dataNode() {
      return "dn0";
    }
  }
}
