// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.LineFeed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Lines as a NameNode writes them, with the settings of the shipped configuration, against the block reads behind them. */
class HeatOfLinesTest {

  private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);
  private static final Duration HALF_LIFE = Duration.ofHours(6);

  private final Heat heat = new Heat(HeatSettings.forFiles(HALF_LIFE, 100_000), Told.NAMESERVICE);
  private final LineFeed feed =
      new LineFeed(
          Told.NAMESERVICE,
          AccessSettings.defaults(AccessSettings.Ignored.nothing()).cooling(HALF_LIFE),
          ZoneOffset.UTC);
  private final List<Line> lines = new ArrayList<>();

  private record Line(
      long millis, String user, String ip, String command, String path, String context) {
    byte[] bytes() {
      String more = context.isEmpty() ? "" : "\tcallerContext=" + context;
      return ("%s INFO FSNamesystem.audit: allowed=true\tugi=%s (auth:SIMPLE)\tip=/%s\tcmd=%s\tsrc=%s"
              + "\tdst=null\tperm=null\tproto=rpc%s")
          .formatted(TIME.format(START.plusMillis(millis)), user, ip, command, path, more)
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  private void open(long millis, String user, String ip, String path, String context) {
    lines.add(new Line(millis, user, ip, "open", path, context));
  }

  private void read() {
    lines.sort(Comparator.comparingLong(Line::millis));
    for (Line line : lines) {
      byte[] bytes = line.bytes();
      feed.line(bytes, 0, bytes.length, 0, heat);
    }
    feed.publish();
  }

  private double blockReads(String path, int blocks) {
    return blocks * heat.opens(path).wholeReads(blocks);
  }

  private static String job(int number) {
    return "mr_application_1700000000000_%04d".formatted(number);
  }

  private static String task(int job, int number) {
    return "mr_attempt_1700000000000_%04d_m_%06d_0".formatted(job, number);
  }

  @Test
  void aTableThatJobsReadOneAfterTheOther() {
    for (int job = 0; job < 20; job++) {
      for (int file = 0; file < 300; file++) {
        // One reader for each file of the one table, and nobody but the user to tell jobs by of the
        // other.
        open(60_000L * job + 100L * file, "hive", "10.0.0." + file % 4, "/t/" + file, job(job));
        open(60_000L * job + 100L * file, "etl", "10.0.0.9", "/u/" + file, "");
      }
    }
    read();
    for (int file = 0; file < 300; file++) {
      assertEquals(20, blockReads("/t/" + file, 1), 0.5, "file " + file);
      assertEquals(20, blockReads("/u/" + file, 1), 0.5, "file " + file);
    }
    assertEquals(0, feed.counts().opens().scanned());
  }

  @Test
  void threeFilesThatJobsRead() {
    for (int job = 0; job < 20; job++) {
      for (int file = 0; file < 3; file++) {
        open(60_000L * job, "hive", "10.0.0.1", "/t/" + file, job(job));
      }
    }
    read();
    for (int file = 0; file < 3; file++) {
      assertEquals(20, blockReads("/t/" + file, 1), 0.5);
    }
  }

  @Test
  void aLongFileByLoneReaders() {
    for (int pass = 0; pass < 3; pass++) {
      // Of twenty blocks: the second line asks for those from the eleventh on.
      open(60_000L * pass, "ann", "10.0.0.1", "/long", "");
      open(60_000L * pass + 9_000, "ann", "10.0.0.1", "/long", "");
      // So slow that they don't look like one reader.
      open(60_000L * pass, "bob", "10.0.0.1", "/slow", "");
      open(60_000L * pass + 20_000, "bob", "10.0.0.1", "/slow", "");
    }
    read();
    assertEquals(60, blockReads("/long", 20), 1);
    assertEquals(60, blockReads("/slow", 20), 1);
  }

  @Test
  void aLongFileByTasksOfJobs() {
    for (int job = 0; job < 3; job++) {
      for (int task = 0; task < 20; task++) {
        // In waves, on four hosts.
        long millis = 600_000L * job + 20_000L * (task / 4);
        open(millis, "ann", "10.0.0." + task % 4, "/long", task(job, task));
        open(millis, "bob", "10.0.0." + task % 4, "/short", task(job, task));
      }
    }
    read();
    assertEquals(60, blockReads("/long", 20), 5);
    assertEquals(60, blockReads("/short", 8), 5, "twenty tasks a job for eight blocks");
  }

  @Test
  void aSmallFileThatOneClientOpensOverAndOver() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100; i++) {
        open(60_000L * round + 60L * i, "ann", "10.0.0.1", "/small", "");
      }
    }
    read();
    assertEquals(300, blockReads("/small", 1), 5);
  }

  @Test
  void readersThroughAGateway() {
    SplittableRandom random = new SplittableRandom(1);
    int[] reads = new int[40];
    for (int i = 0; i < 600; i++) {
      int file = random.nextInt(random.nextInt(40) + 1);
      reads[file]++;
      open(100L * i, "u" + random.nextInt(40), "10.0.0.1", "/d/" + file, "");
    }
    read();
    for (int file = 0; file < 40; file++) {
      assertEquals(reads[file], blockReads("/d/" + file, 1), 0.5 + 0.02 * reads[file]);
    }
  }

  @Test
  void aDailyBackupDoesNotHeat() {
    for (int day = 0; day < 3; day++) {
      for (int table = 0; table < 40; table++) {
        for (int file = 0; file < 60; file++) {
          long millis = 86_400_000L * day + 20L * (60 * table + file);
          open(millis, "svc", "10.0.0." + file % 4, "/w/t" + table + "/" + file, job(day));
        }
      }
    }
    read();
    for (int table = 0; table < 40; table++) {
      assertEquals(0, blockReads("/w/t" + table + "/7", 1), 0);
    }
    assertEquals(3 * 40 * 60, feed.counts().opens().scanned());
  }

  /** One application, which reads all files in each epoch, in another order. */
  @Test
  void epochsOfOneApplication() {
    int files = 2_000;
    for (int epoch = 0; epoch < 5; epoch++) {
      for (int i = 0; i < files; i++) {
        int file = (int) ((i * 1_009L + epoch * 331L) % files);
        open(200_000L * epoch + 100L * i, "ml", "10.0.0.1", "/images/" + file, job(1));
      }
    }
    read();
    double sum = 0;
    for (int file = 0; file < files; file++) {
      sum += blockReads("/images/" + file, 1);
    }
    assertEquals(5.0 * files, sum, 0.05 * files);
  }

  /** Beyond ten blocks a task opens the file once more, for the places of its own block. */
  @Test
  void tasksOfAFileOfManyBlocks() {
    for (int job = 0; job < 5; job++) {
      for (int block = 0; block < 20; block++) {
        for (int open = 0; open < (block < 10 ? 1 : 2); open++) {
          long millis = 600_000L * job + 500L * block + open;
          open(millis, "etl", "10.0.0." + block, "/large", task(job, block));
        }
      }
    }
    read();
    assertEquals(100, blockReads("/large", 20), 7);
  }

  /** Four requests for a third of the bytes: of a small file that takes longer than all at once, of a large one less. */
  @Test
  void columnsAreSoughtMoreThanRead() {
    for (int query = 0; query < 10; query++) {
      String task = "SPARK_TASK_application_1700000000000_%04d_JId_1_SId_1_0_TId_1_0";
      for (int open = 0; open < 2; open++) {
        open(100_000L * query + open, "ann", "10.0.0.1", "/s.parquet", task.formatted(query));
      }
      open(100_000L * query, "trino", "10.0.0.2", "/t.orc", "");
      open(100_000L * query, "ann", "10.0.0.1", "/whole.orc", job(query));
    }
    read();
    long small = 1 << 20;
    long large = 128 << 20;
    for (String path : List.of("/s.parquet", "/t.orc")) {
      assertEquals(10 * 0.042 / 0.017, reads(path, 1, small), 1);
      assertEquals(10 * 0.308 / 0.905, reads(path, 1, large), 0.2);
    }
    assertEquals(10, reads("/whole.orc", 1, large), 0.5);
  }

  /** As tail -f does it: each five seconds, for what was appended since. */
  @Test
  void aLogThatIsFollowed() {
    for (int tick = 0; tick < 720; tick++) {
      if (tick % 6 == 0) {
        lines.add(new Line(5_000L * tick, "app", "10.0.0.9", "append", "/current.log", ""));
      }
      open(5_000L * tick + 1_000, "ops", "10.0.0.1", "/current.log", "CLI");
    }
    read();
    double seconds = reads("/current.log", 1, 128 << 20) * 0.905;
    // The first ones count as whole: nothing was appended yet to a file that somebody reads.
    assertEquals(720 * 0.005 + 6 * 0.905, seconds, 1);
  }

  /** A region server's open stands for a stream that is read from for long, however long the file is. */
  @Test
  void streamsOfHBase() {
    String file = "/hbase/data/default/t/0001/cf/0001";
    open(0, "hbase", "10.0.0.1", file, "");
    read();
    double once = reads(file, 8, 1L << 30) * (0.08 + (1L << 30) / 150e6);
    assertEquals(10.4, once, 0.5, "seconds");
  }

  private double reads(String path, int blocks, long length) {
    return HotFile.reads(path, blocks, length, heat.opens(path));
  }
}
