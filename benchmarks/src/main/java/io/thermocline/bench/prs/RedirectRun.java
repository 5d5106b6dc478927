// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.hdfs.GroupReads;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * What the redirect table costs an open, and what a group saves a read: HDFS alone and through groups in turn, on an
 * embedded cluster, medians of the same files.
 */
final class RedirectRun {
  private static final Path GROUPS = new Path("/system/thermocline/groups");
  private static final int GROUPED = 40;
  private static final int GROUP = 10;
  private static final int FILE_BYTES = 20_000;
  private static final int ROUNDS = 60;
  private static final int WARM_ROUNDS = 20;

  private final DistributedFileSystem fs;
  private final LongSupplier nanos;
  private final List<Path> files = new ArrayList<>();

  private RedirectRun(DistributedFileSystem fs, LongSupplier nanos) {
    this.fs = fs;
    this.nanos = nanos;
  }

  static void run(Map<String, Object> figures, LongSupplier nanos) throws IOException {
    java.nio.file.Path directory = Files.createTempDirectory("thermocline-prs-");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder(directory).create()) {
      cluster.start();
      new RedirectRun(cluster.fileSystem(), nanos).measure(figures);
    } finally {
      Files.deleteIfExists(directory);
    }
  }

  private interface Opening {
    FSDataInputStream open(Path path) throws IOException;
  }

  private void measure(Map<String, Object> figures) throws IOException {
    write();
    GroupReads.Limits limits = GroupReads.Limits.defaults();
    try (GroupReads reads = new GroupReads(fs.getClient(), GROUPS, limits, nanos);
        GroupReads none = new GroupReads(fs.getClient(), new Path("/none"), limits, nanos)) {
      Opening alone = fs::open;
      Opening grouped = path -> reads.open(fs.open(path));
      Opening unknown = path -> none.open(fs.open(path));
      List<Opening> all = List.of(alone, unknown, grouped);
      double[] opens = medians(all, this::open);
      double[] whole = medians(all, this::read);
      figures.put("open_alone_us", micros(opens[0]));
      figures.put("open_without_table_overhead_pct", percent(opens[1], opens[0]));
      figures.put("open_redirected_overhead_pct", percent(opens[2], opens[0]));
      figures.put("read_alone_us", micros(whole[0]));
      figures.put("read_without_table_overhead_pct", percent(whole[1], whole[0]));
      figures.put("read_redirected_overhead_pct", percent(whole[2], whole[0]));
      figures.put("redirected_opens", reads.redirected());
      figures.put("redirect_fallbacks", reads.fallbacks());
      System.out.printf(
          Locale.ROOT,
          "open alone %.0f us, redirected %+.1f %%, without a table %+.1f %%; open and read alone"
              + " %.0f us, redirected %+.1f %%%n",
          opens[0] / 1e3,
          percent(opens[2], opens[0]),
          percent(opens[1], opens[0]),
          whole[0] / 1e3,
          percent(whole[2], whole[0]));
    }
  }

  private void write() throws IOException {
    GroupStore store = GroupStore.of(fs, GROUPS);
    store.prepare();
    GroupWriter writer = new GroupWriter(store, FILE_BYTES);
    List<GroupFile> groups = new ArrayList<>();
    for (int i = 0; i < GROUPED; i++) {
      files.add(new Path("/together/" + i));
      try (OutputStream out = fs.create(files.get(i))) {
        out.write(new byte[FILE_BYTES]);
      }
    }
    for (int from = 0; from < GROUPED; from += GROUP) {
      List<String> paths = files.subList(from, from + GROUP).stream().map(Path::toString).toList();
      GroupWriter.Wish anywhere = new GroupWriter.Wish(List.of(), null, "local", "random_small");
      writer.write(store.newId(), paths, anywhere).ifPresent(groups::add);
    }
    store.publish(groups);
  }

  private interface Task {
    void run(FSDataInputStream in) throws IOException;
  }

  private void open(FSDataInputStream in) {}

  private void read(FSDataInputStream in) throws IOException {
    if (in.readAllBytes().length != FILE_BYTES) {
      throw new IOException("a file has other bytes than were written");
    }
  }

  /** Nanoseconds of each way, turn about, the first of a turn not always the same. */
  private double[] medians(List<Opening> ways, Task task) throws IOException {
    long[][] taken = new long[ways.size()][ROUNDS * files.size()];
    for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
      for (int file = 0; file < files.size(); file++) {
        for (int turn = 0; turn < ways.size(); turn++) {
          int way = Math.floorMod(turn + round + file, ways.size());
          long start = nanos.getAsLong();
          FSDataInputStream in = ways.get(way).open(files.get(file));
          task.run(in);
          long end = nanos.getAsLong();
          in.close();
          if (round >= 0) {
            taken[way][round * files.size() + file] = end - start;
          }
        }
      }
    }
    double[] medians = new double[ways.size()];
    for (int way = 0; way < medians.length; way++) {
      Arrays.sort(taken[way]);
      medians[way] = taken[way][taken[way].length / 2];
    }
    return medians;
  }

  private static double micros(double nanoseconds) {
    return Math.round(nanoseconds / 100) / 10.0;
  }

  private static double percent(double value, double base) {
    return Math.round(1000 * (value / base - 1)) / 10.0;
  }
}
