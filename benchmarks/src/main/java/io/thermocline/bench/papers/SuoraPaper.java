// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import static io.thermocline.bench.papers.DevicePattern.BUCKETS;
import static io.thermocline.bench.papers.DevicePattern.CAPACITY_GB;
import static io.thermocline.bench.papers.DevicePattern.THROUGHPUT_MB_S;
import static io.thermocline.bench.papers.Figures.fixed;

import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.NumberLine;
import io.thermocline.placement.suora.RandomSequence;
import io.thermocline.placement.suora.SegmentTable;
import io.thermocline.tiering.heat.HeatSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** SUORA: figures 10 to 12. */
final class SuoraPaper implements PaperSection {
  private static final int TRIES = 100_000;
  private static final long ITEMS = 1_000_000;
  private static final double ITEM_MB = 64;

  @Override
  public String title() {
    return "SUORA (Zhou, Chen, Zheng, Wang)";
  }

  @Override
  public void run(PaperReport report) {
    rangeDoubling(report);
    memory(report);
    distribution(report);
    throughput(report);
    additionOfANode(report);
    movesBetweenBuckets(report);
  }

  private static void rangeDoubling(PaperReport report) {
    List<List<String>> rows = new ArrayList<>();
    for (int nodes : new int[] {16, 17, 32, 100, 1_000, 10_000, 50_000}) {
      NumberLine line = SegmentTable.assign(devices("n", nodes), 1).numberLine();
      long numbers = 0;
      long keys = 100_000;
      for (long key = 0; key < keys; key++) {
        RandomSequence sequence = RandomSequence.of(key, 0);
        do {
          numbers++;
        } while (line.deviceAt(sequence.next(line.end())) == DeviceSelector.NONE);
      }
      int range = Math.max(16, Integer.highestOneBit(2 * nodes - 1));
      rows.add(
          List.of(
              "" + nodes,
              "[0, " + range + ")",
              fixed(2, (double) range / nodes),
              fixed(2, (double) numbers / keys)));
    }
    report.table(
        "Figure 10(a), the range [0, 16) doubled until it covers the line: numbers drawn for a key",
        List.of("nodes of a bucket", "range", "expected", "reproduced"),
        rows);
    report.note(
        "Under two, whatever the number of nodes. The published times are a picture without numbers; ours"
            + " are printed at the end of the command's output.");
  }

  private static void memory(PaperReport report) {
    double items = 10e9 / ITEM_MB;
    List<Device> nodes = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      nodes.add(Device.of("n" + i, 1));
    }
    // Of each cell the device's number, and where it ends.
    double line =
        SegmentTable.assign(nodes, 1).numberLine().end() * (Integer.BYTES + Double.BYTES) / 1e6;
    double table = HeatSettings.forFiles(Duration.ofHours(1), (long) items).tableBytes() / 1e6;
    report.table(
        "Figure 10(b), memory for 100,000 nodes and 10 PB",
        List.of("", "published", "from the inputs", "reproduced"),
        List.of(
            List.of("node id and length, MB", "0.8", fixed(2, 100_000 * 8 / 1e6), fixed(2, line)),
            List.of("read counters, MB", "630", fixed(0, items * 4 / 1e6), fixed(0, table))));
    report.note(
        "Published: 4 bytes each for id and length, and one 32-bit counter for each of "
            + fixed(2, items / 1e6)
            + " million items of 64 MB. Ours: 12 bytes for each integer cell of a line (the end as a double),"
            + " node names not counted on either side; and the hotness table that the service takes for as many files.");
    report.field("suora_fig10_map_mb", Figures.round(2, line));
    report.field("suora_fig10_counters_mb", Figures.round(0, table));
    report.field("published_suora_fig10_map_mb", 0.8);
    report.field("published_suora_fig10_counters_mb", 630);
  }

  private static void distribution(PaperReport report) {
    DevicePattern pattern = DevicePattern.ALL.get(0);
    double million = 1e9 / ITEM_MB / 1e6;
    double[] consistent = new double[BUCKETS];
    double[] asura = new double[BUCKETS];
    double capacity = sum(CAPACITY_GB);
    for (int b = 0; b < BUCKETS; b++) {
      consistent[b] = 3 * million / BUCKETS;
      asura[b] = 3 * million * CAPACITY_GB[b] / capacity;
    }
    int nodes = 2_000;
    long[][] held = place(pattern, 3, nodes);
    List<List<String>> rows = new ArrayList<>();
    for (int b = 0; b < BUCKETS; b++) {
      long all = 0;
      long least = Long.MAX_VALUE;
      long most = 0;
      for (long count : held[b]) {
        all += count;
        least = Math.min(least, count);
        most = Math.max(most, count);
      }
      double expected = b < 2 ? million : million / 100 * suoraPercent(pattern, b);
      double own = all * million / ITEMS;
      rows.add(
          List.of(
              "b" + b,
              fixed(2, consistent[b]),
              fixed(2, asura[b]),
              fixed(2, expected),
              fixed(2, own),
              fixed(0, own / nodes * 1e6),
              fixed(1, most * (double) nodes / all)
                  + " / "
                  + fixed(1, least * (double) nodes / all)));
      report.field("suora_fig11a_million_items_b" + b, Figures.round(2, own));
    }
    report.table(
        "Figure 11(a) and (c), 10,000 nodes, 1 PB in items of 64 MB, 3 replicas, FIO-randread: million replicas"
            + " by bucket after migration",
        List.of(
            "bucket",
            "consistent hashing",
            "ASURA",
            "SUORA, equation 2",
            "reproduced, placed",
            "reproduced, items a node",
            "reproduced, fullest / emptiest node to mean"),
        rows);
    report.note(
        "Published in words: about 47 million in all, nearly 9 million for each bucket under consistent hashing,"
            + " nearly 15.5 million for each of b0 to b2 under SUORA before migration, of which nearly 6 % of all"
            + " leave b2 (16.63 % of b2, 5.54 % of all). Ours: 1,000,000 items on five number lines of 2,000 nodes"
            + " each, counts scaled; how far a node is from the mean is the sample's"
            + " (500 items a node in b0).");
    List<List<String>> one = new ArrayList<>();
    double all = 100e9 / ITEM_MB / 1e6;
    for (int b = 0; b < BUCKETS; b++) {
      double vnodes = b == 0 ? 10.0 / 14 : 1.0 / 14;
      one.add(
          List.of(
              "b" + b,
              fixed(1, all * vnodes),
              fixed(1, all * CAPACITY_GB[b] / capacity),
              fixed(1, all * pattern.percent()[b] / 100)));
    }
    report.table(
        "Figure 11(b) and (d), 100,000 nodes, 100 PB, 1 replica, FIO-randread: million items by bucket",
        List.of("bucket", "consistent hashing, 10 virtual nodes on b0", "ASURA", "SUORA"),
        one);
  }

  private static void throughput(PaperReport report) {
    double consistent = DevicePattern.throughput(new double[] {1, 1, 1, 1, 1});
    double tenfold = DevicePattern.throughput(new double[] {10, 1, 1, 1, 1});
    double asura = DevicePattern.throughput(CAPACITY_GB);
    List<List<String>> rows = new ArrayList<>();
    for (DevicePattern pattern : DevicePattern.ALL) {
      double suora = pattern.suoraThroughput(3);
      rows.add(
          List.of(
              pattern.name(),
              fixed(1, consistent),
              fixed(1, tenfold),
              fixed(1, asura),
              fixed(0, suora),
              fixed(0, pattern.suoraThroughput(1)),
              fixed(1, suora / consistent),
              fixed(1, suora / tenfold),
              fixed(1, suora / asura)));
      report.field("suora_fig11_" + pattern.field() + "_mb_s", Figures.round(0, suora));
    }
    report.table(
        "Figure 11(e), equation 3 in MB/s, as many nodes in each bucket, hotness in the middle of its class",
        List.of(
            "pattern",
            "consistent hashing",
            "with 10 virtual nodes on b0",
            "ASURA",
            "SUORA, 3 replicas",
            "SUORA, 1 replica",
            "3 replicas to consistent hashing",
            "to 10 virtual nodes",
            "to ASURA"),
        rows);
    double ceiling = THROUGHPUT_MB_S[BUCKETS - 1] / consistent;
    report.note(
        "Published: 3.9 to 8.5 times consistent hashing and ASURA. The upper end can't be a ratio to consistent"
            + " hashing: with every read from b4 it would be "
            + fixed(2, ceiling)
            + ". So the published span mixes baselines, and ratios are given for each here. Equation 3 takes one"
            + " device after the other as one queue; it says nothing of many readers at once.");
    report.note(
        "Figure 11(f) can't be reproduced: it is drawn for FIO-randwrite, and table 5, from which hotness and"
            + " thresholds come, has no such pattern.");
    report.field("suora_fig11_consistent_hashing_mb_s", Figures.round(1, consistent));
    report.field("suora_fig11_consistent_hashing_b0_10_mb_s", Figures.round(1, tenfold));
    report.field("suora_fig11_asura_mb_s", Figures.round(1, asura));
    report.field("published_suora_fig11_times_lowest", 3.9);
    report.field("published_suora_fig11_times_highest", 8.5);
    report.field("suora_fig11_times_consistent_hashing_ceiling", Figures.round(2, ceiling));
  }

  private static void additionOfANode(PaperReport report) {
    SegmentTable before = SegmentTable.assign(devices("n", 100), 1);
    SegmentTable after = before.append(Device.of("new", 1), 1);
    DeviceSelector was = before.numberLine().selector(0);
    NumberLine grown = after.numberLine();
    DeviceSelector is = grown.selector(0);
    long moved = 0;
    long between = 0;
    for (long key = 0; key < ITEMS; key++) {
      String from = was.deviceId(was.select(key, device -> true, TRIES));
      String to = is.deviceId(is.select(key, device -> true, TRIES));
      if (!from.equals(to)) {
        moved += to.equals("new") ? 1 : 0;
        between += to.equals("new") ? 0 : 1;
      }
    }
    report.table(
        "Figure 12(a), a node joins 100 of its kind, 1 million items",
        List.of("", "published, 1 / (u + 1)", "reproduced"),
        List.of(
            List.of("items moved to the new node", "9901", "" + moved),
            List.of("items moved between old nodes", "0", "" + between)));
    report.field("suora_fig12a_moved", moved);
    report.field("suora_fig12a_old_to_old_moves", between);
    report.field("published_suora_fig12a_moved", 9901);
  }

  private static void movesBetweenBuckets(PaperReport report) {
    DevicePattern ior = DevicePattern.ALL.get(3);
    String[] published = {"about 35", "", "less than 12.5", ""};
    List<List<String>> rows = new ArrayList<>();
    for (int replicas = 1; replicas <= 4; replicas++) {
      double derived = ior.movedPercent(replicas);
      double ours = movedPercent(ior, replicas);
      rows.add(List.of("" + replicas, published[replicas - 1], fixed(2, derived), fixed(2, ours)));
      report.field("suora_fig12_moved_pct_" + replicas, Figures.round(2, ours));
      report.field("derived_suora_fig12_moved_pct_" + replicas, Figures.round(2, derived));
    }
    report.field("published_suora_fig12_moved_pct_1", 35);
    report.field("published_suora_fig12_moved_pct_3", 12.5);
    report.table(
        "Figure 12(b), percent of the data moved under IOR-read",
        List.of("replicas", "published", "from table 5", "reproduced, 1 million items placed"),
        rows);
  }

  /** Percent of the items of which a copy changes its device when hotness is known. */
  private static double movedPercent(DevicePattern pattern, int replicas) {
    List<DeviceSelector> buckets = buckets(100);
    long moved = 0;
    for (long key = 0; key < ITEMS; key++) {
      int target = DevicePattern.lead(hotnessClass(pattern, key), replicas);
      if (target != replicas - 1) {
        String from = home(buckets.get(replicas - 1), key);
        moved += from.equals(home(buckets.get(target), key)) ? 0 : 1;
      }
    }
    return 100.0 * moved / ITEMS;
  }

  /** Items on each node of each bucket after migration. */
  private static long[][] place(DevicePattern pattern, int replicas, int nodes) {
    List<DeviceSelector> buckets = buckets(nodes);
    long[][] held = new long[BUCKETS][nodes];
    for (long key = 0; key < ITEMS; key++) {
      int lead = DevicePattern.lead(hotnessClass(pattern, key), replicas);
      for (int b = 0; b < replicas - 1; b++) {
        held[b][buckets.get(b).select(key, device -> true, TRIES)]++;
      }
      held[lead][buckets.get(lead).select(key, device -> true, TRIES)]++;
    }
    return held;
  }

  /** A hotness class for each key, in the pattern's percentages exactly for each 10,000 keys. */
  private static int hotnessClass(DevicePattern pattern, long key) {
    double rank = key % 10_000 / 100.0;
    int hotnessClass = 0;
    double end = pattern.percent()[0];
    while (rank >= end - 1e-9 && hotnessClass < BUCKETS - 1) {
      end += pattern.percent()[++hotnessClass];
    }
    return hotnessClass;
  }

  private static double suoraPercent(DevicePattern pattern, int bucket) {
    return bucket == 2 ? 100 - pattern.movedPercent(3) : pattern.percent()[bucket];
  }

  private static List<DeviceSelector> buckets(int nodes) {
    List<DeviceSelector> buckets = new ArrayList<>();
    for (int b = 0; b < BUCKETS; b++) {
      // The paper's placement: one sequence for all buckets.
      buckets.add(SegmentTable.assign(devices("b" + b + "n", nodes), 1).numberLine().selector(0));
    }
    return buckets;
  }

  private static String home(DeviceSelector bucket, long key) {
    return bucket.deviceId(bucket.select(key, device -> true, TRIES));
  }

  private static List<Device> devices(String prefix, int count) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(Device.of(prefix + i, 1));
    }
    return devices;
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }
}
