// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.prs.SetReaders.Way;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;

/**
 * Groups on HDFS: clients read sets and anything else, the service finds the sets and makes groups of them, and then
 * sets are read in each way in turn.
 */
final class ClusterRun {
  private static final int READ_OFTEN = 5;
  private static final Duration END_WITHIN = Duration.ofMinutes(1);

  private final SetScale scale;
  private final ServiceRuntime runtime;

  ClusterRun(SetScale scale, ServiceRuntime runtime) {
    this.scale = scale;
    this.runtime = runtime;
  }

  void run(Map<String, Object> figures, long seed) throws IOException {
    try (SetCluster cluster = new SetCluster(scale)) {
      say(
          "writing %,d sets of %d files, and %,d files",
          scale.sets(), SetScale.FILES, scale.others());
      cluster.write(seed);
      SetPeers peers = new SetPeers(scale, cluster.hdfs().fileSystem());
      peers.write();
      cluster.hdfs().devices().pace();
      cluster.serve(runtime.pause());
      measure(cluster, peers, figures, seed);
      if (scale.equals(SetScale.QUICK)) {
        endOfSets(cluster, figures);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void measure(SetCluster cluster, SetPeers peers, Map<String, Object> figures, long seed)
      throws IOException, InterruptedException {
    EmbeddedCluster hdfs = cluster.hdfs();
    try (SetReaders readers =
        new SetReaders(scale, peers, hdfs, runtime.pause(), runtime.nanos())) {
      readers.start(seed);
      long turns = scale.learning().dividedBy(scale.window().multipliedBy(2));
      for (long turn = 0; turn < turns; turn++) {
        readers.turns(List.of(Way.PLAIN, Way.GROUPS), false);
        if (turn % 6 == 5) {
          say(
              "%,d s: %d sets grouped",
              (turn + 1) * 2 * scale.window().toSeconds(), cluster.grouped().size());
        }
      }
      grouped(cluster, readers, figures);
      List<Way> ways = new ArrayList<>(List.of(Way.values()));
      // Read once, as the others were.
      readers.turns(ways, false);
      for (int round = 0; round < scale.rounds(); round++) {
        readers.turns(ways, true);
        Collections.reverse(ways);
      }
      times(readers, figures);
    }
  }

  private void grouped(SetCluster cluster, SetReaders readers, Map<String, Object> figures)
      throws IOException {
    Set<Integer> grouped = cluster.grouped();
    List<Integer> often =
        IntStream.range(0, scale.sets())
            .filter(set -> readers.reads(set) >= READ_OFTEN)
            .boxed()
            .toList();
    long found = often.stream().filter(grouped::contains).count();
    figures.put("sets_read_5_times", often.size());
    figures.put("sets_grouped_pct", round(100.0 * found / often.size()));
    Map<String, Integer> files = cluster.groupFiles();
    figures.put("group_files", files.values().stream().mapToInt(Integer::intValue).sum());
    figures.put("group_files_on_ssd", files.getOrDefault("SSD", 0));
    say(
        "of %d sets read five times or more, %d are grouped; group files %s",
        often.size(), found, files);
  }

  private void times(SetReaders readers, Map<String, Object> figures) {
    for (Way way : Way.values()) {
      String name = way.name().toLowerCase(Locale.ROOT);
      figures.put("set_reads_" + name, readers.ofPinned(way).length + readers.ofFree(way).length);
      time("set_", name, readers.ofPinned(way), figures);
      time("moved_set_", name, readers.ofFree(way), figures);
      time("others_", name, readers.ofOthers(way), figures);
    }
    long[] plain = readers.ofPinned(Way.PLAIN);
    long[] groups = readers.ofPinned(Way.GROUPS);
    long[] free = readers.ofFree(Way.PLAIN);
    figures.put("ratio_set_through_groups", ratio(groups, plain, 0.5));
    figures.put("ratio_set_p99", ratio(groups, plain, 0.99));
    figures.put("ratio_moved_set_through_groups", ratio(readers.ofFree(Way.GROUPS), free, 0.5));
    figures.put("ratio_moved_set_p99", ratio(readers.ofFree(Way.GROUPS), free, 0.99));
    figures.put(
        "ratio_others", ratio(readers.ofOthers(Way.GROUPS), readers.ofOthers(Way.PLAIN), 0.5));
    figures.put("ratio_set_har", ratio(readers.ofPinned(Way.HAR), plain, 0.5));
    figures.put("ratio_set_sequence_file", ratio(readers.ofPinned(Way.SEQUENCE_FILE), plain, 0.5));
    figures.put("sets_from_memory_pct", round(100 * readers.fromMemory()));
  }

  private static void time(String what, String way, long[] times, Map<String, Object> figures) {
    double median = at(times, 0.5) / 1e6;
    double p99 = at(times, 0.99) / 1e6;
    figures.put(what + "ms_" + way, round(median));
    figures.put(what + "p99_ms_" + way, round(p99));
    say("%-11s%-14s median %6.1f ms, p99 %6.1f, %,6d reads", what, way, median, p99, times.length);
  }

  /** A quarter of the grouped sets is deleted: how many of their group files are gone soon. */
  private void endOfSets(SetCluster cluster, Map<String, Object> figures)
      throws IOException, InterruptedException {
    List<Integer> going =
        cluster.grouped().stream().sorted().limit(Math.max(1, scale.sets() / 4)).toList();
    int before = cluster.groupFiles().values().stream().mapToInt(Integer::intValue).sum();
    for (int set : going) {
      cluster.hdfs().fileSystem().delete(new Path(SetScale.set(set)), true);
    }
    int gone = 0;
    for (int waited = 0; waited < END_WITHIN.toSeconds() && gone < going.size(); waited++) {
      runtime.pause().pause(Duration.ofSeconds(1));
      gone = before - cluster.groupFiles().values().stream().mapToInt(Integer::intValue).sum();
    }
    figures.put("sets_ended_pct", round(100.0 * gone / going.size()));
    say("of %d sets that were deleted, %d group files are gone", going.size(), gone);
  }

  private static long at(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
  }

  private static double ratio(long[] one, long[] other, double share) {
    return round((double) at(one, share) / at(other, share));
  }

  private static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static void say(String text, Object... values) {
    System.out.printf(Locale.ROOT, text + "%n", values);
  }
}
