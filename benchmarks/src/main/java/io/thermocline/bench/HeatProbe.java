// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.testbed.workload.Zipf;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.heat.HeatState;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * One structure in a JVM of its own, so that neither memory nor what the compiler learned is shared: prints
 * name=value lines. Started by {@link HeatCommand}.
 */
final class HeatProbe {
  private static final int STREAM = 1 << 20;
  private static final int ROUNDS = 7;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Increments between two steps of decay; at 100,000 reads a second a half-life of ten minutes. */
  private static final int INCREMENTS_PER_STEP = 8_000_000;

  private static final long NAMESERVICE = PathKey.nameservice("nameservice1");

  private final HeatPeers kind;
  private final long items;
  private final long bytes;

  /** Keeps the compiler from leaving out what nobody looks at. */
  private double sink;

  private int sinceStep;

  private HeatProbe(HeatPeers kind, long items, long bytes) {
    this.kind = kind;
    this.items = items;
    this.bytes = bytes;
  }

  /** Arguments: what to measure, the structure, items, bytes. */
  public static void main(String[] args) {
    HeatProbe probe =
        new HeatProbe(HeatPeers.valueOf(args[1]), Long.parseLong(args[2]), Long.parseLong(args[3]));
    switch (args[0]) {
      case "cached" -> probe.cached();
      case "full" -> probe.full();
      case "accept" -> probe.accept();
      case "checkpoint" -> probe.checkpoint();
      default -> probe.judge(ReadPattern.valueOf(args[0]));
    }
    if (probe.sink == 0.123) {
      System.out.println();
    }
  }

  /** All items are read, evenly; table and items are small. */
  private void cached() {
    HeatPeer peer = kind.make(bytes);
    long[] keys = stream(items, 1);
    for (int i = 0; i < items; i++) {
      peer.add(ReadPattern.key(i), 1);
    }
    say("increment_ns_cached", increments(peer, keys, 16));
    say("query_ns_cached", queries(peer, keys, 16));
    say("bytes_cached", peer.bytes());
  }

  /** Items as in the paper's first pattern; those that are read are incremented, evenly. */
  private void full() {
    HeatPeer peer = kind.make(bytes);
    ReadPattern pattern = ReadPattern.FIO_RANDREAD;
    for (long item = 0; item < items; item++) {
      if (pattern.reads(item) > 0) {
        peer.add(ReadPattern.key(item), 1);
      }
    }
    // A stream longer than any cache, of items that are read.
    SplittableRandom random = new SplittableRandom(3);
    long[] keys = new long[STREAM * 8];
    for (int i = 0; i < keys.length; i++) {
      long item;
      do {
        item = random.nextLong(items);
      } while (pattern.reads(item) == 0);
      keys[i] = ReadPattern.key(item);
    }
    say("increment_ns_full", increments(peer, keys, 1));
    say("query_ns_full", queries(peer, stream(items, 8), 1));
  }

  /** All that the service does with a read: table, profiles, directories, before and after renames. */
  private void accept() {
    Heat heat = new Heat(HeatSettings.forFiles(Duration.ofMinutes(10), items), "nameservice1");
    ReadOf[] reads = new ReadOf[(int) items];
    for (int i = 0; i < items; i++) {
      reads[i] =
          read(
              "/warehouse/tablespace/external/db%d/table%d/dt=%d/part-%05d-c000.parquet"
                  .formatted(i % 7, i % 101, i % 365, i));
    }
    Zipf popularity = new Zipf((int) items, 1);
    SplittableRandom random = new SplittableRandom(4);
    ReadOf[] stream = new ReadOf[STREAM];
    for (int i = 0; i < STREAM; i++) {
      stream[i] = reads[popularity.draw(random)];
    }
    say("accept_ns", accepts(heat, stream));
    for (int i = 0; i < 1000; i++) {
      String directory = "/warehouse/staging/" + i;
      heat.accept(read(directory + "/file"));
      heat.accept(new Rename(directory, "/warehouse/done/" + i));
    }
    say("accept_ns_after_1000_renames", accepts(heat, stream));
  }

  /** How long the accepting thread stands still, and how long writing and reading takes beside it. */
  private void checkpoint() {
    HeatSettings settings = HeatSettings.forFiles(Duration.ofMinutes(10), items);
    Heat heat = new Heat(settings, "nameservice1");
    for (int i = 0; i < 1_000_000; i++) {
      heat.accept(read("/warehouse/db%d/table%d/part-%d".formatted(i % 7, i % 101, i)));
    }
    try {
      Path file = Files.createTempDirectory("heat").resolve("checkpoint");
      double freeze = Double.MAX_VALUE;
      double save = Double.MAX_VALUE;
      for (int round = 0; round < 3; round++) {
        long start = nanos();
        HeatState state = heat.freeze();
        freeze = Math.min(freeze, (nanos() - start) / 1e6);
        start = nanos();
        HeatCheckpoint.save(file, state, new byte[0]);
        save = Math.min(save, (nanos() - start) / 1e6);
      }
      say("checkpoint_freeze_ms", freeze);
      say("checkpoint_save_ms", save);
      long start = nanos();
      HeatCheckpoint.load(file, settings, "nameservice1").orElseThrow();
      say("checkpoint_load_ms", (nanos() - start) / 1e6);
      say("checkpoint_bytes", Files.size(file));
      for (String name : List.of("checkpoint", "checkpoint.previous", "")) {
        Files.delete(name.isEmpty() ? file.getParent() : file.resolveSibling(name));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double accepts(Heat heat, ReadOf[] stream) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = nanos();
      for (ReadOf read : stream) {
        heat.accept(read);
      }
      best = Math.min(best, (double) (nanos() - start) / stream.length);
    }
    return best;
  }

  private static ReadOf read(String path) {
    return new ReadOf(() -> path, PathHashes.of(NAMESERVICE, path));
  }

  private record Rename(String path, String newPath) implements Access {
    @Override
    public Kind kind() {
      return Kind.RENAME;
    }

    @Override
    public long timeMillis() {
      return ReadOf.TIME;
    }

    @Override
    public long key() {
      return hashes().key();
    }

    @Override
    public PathHashes hashes() {
      return PathHashes.of(NAMESERVICE, path);
    }

    @Override
    public PathHashes newHashes() {
      return PathHashes.of(NAMESERVICE, newPath);
    }
  }

  /** Precision and recall at each threshold of a pattern. */
  private void judge(ReadPattern pattern) {
    HeatPeer peer = kind.make(bytes);
    // First all items once, so that the table is as full as it gets while counts are small; then
    // the rest.
    for (int part = 0; part < 2; part++) {
      for (long item = 0; item < items; item++) {
        int reads = pattern.reads(item);
        if (reads > part) {
          peer.add(ReadPattern.key(item), part == 0 ? 1 : reads - 1);
        }
      }
    }
    score(peer, pattern, 1, "");
    if (kind == HeatPeers.OURS) {
      for (int step = 0; step < 8; step++) {
        peer.cool();
      }
      score(peer, pattern, 0.5, "_after_half_life");
    }
    say("bytes", peer.bytes());
  }

  private void score(HeatPeer peer, ReadPattern pattern, double factor, String suffix) {
    long[] hot = new long[ReadPattern.GROUPS];
    long[] shown = new long[ReadPattern.GROUPS];
    long[] right = new long[ReadPattern.GROUPS];
    for (long item = 0; item < items; item++) {
      int reads = pattern.reads(item);
      double estimate = peer.estimate(ReadPattern.key(item));
      for (int bucket = 1; bucket < ReadPattern.GROUPS; bucket++) {
        boolean is = reads >= pattern.threshold(bucket);
        boolean seems = estimate >= factor * pattern.threshold(bucket);
        hot[bucket] += is ? 1 : 0;
        shown[bucket] += seems ? 1 : 0;
        right[bucket] += is && seems ? 1 : 0;
      }
    }
    for (int bucket = 1; bucket < ReadPattern.GROUPS; bucket++) {
      String at = "_at_" + pattern.threshold(bucket) + suffix;
      // Nothing shown is nothing wrong.
      say("precision" + at, shown[bucket] == 0 ? 1 : (double) right[bucket] / shown[bucket]);
      say("recall" + at, (double) right[bucket] / hot[bucket]);
    }
  }

  private static long[] stream(long items, int times) {
    SplittableRandom random = new SplittableRandom(2);
    long[] keys = new long[STREAM * times];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = ReadPattern.key(random.nextLong(items));
    }
    return keys;
  }

  /** Nanoseconds of one, in the best round, decay included. */
  private double increments(HeatPeer peer, long[] keys, int repeats) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = nanos();
      for (int repeat = 0; repeat < repeats; repeat++) {
        for (long key : keys) {
          peer.add(key, 1);
          if (++sinceStep == INCREMENTS_PER_STEP) {
            sinceStep = 0;
            peer.cool();
          }
        }
      }
      best = Math.min(best, (double) (nanos() - start) / keys.length / repeats);
    }
    return best;
  }

  private double queries(HeatPeer peer, long[] keys, int repeats) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = nanos();
      for (int repeat = 0; repeat < repeats; repeat++) {
        for (long key : keys) {
          sink += peer.estimate(key);
        }
      }
      best = Math.min(best, (double) (nanos() - start) / keys.length / repeats);
    }
    return best;
  }

  /** Of this thread on a processor, so that other work on the machine counts less. */
  private static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static void say(String name, double value) {
    System.out.println(name + "=" + String.format(Locale.ROOT, "%.6f", value));
  }
}
