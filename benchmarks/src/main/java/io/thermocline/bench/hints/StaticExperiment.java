// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.bench.hints.Volume.Request;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.hints.HintRates;
import io.thermocline.tiering.hints.StaticHints;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Figures 2.3 and 2.4 of the thesis: the file server's files on a volume, without hints, with metadata known (level 1), and
 * with sizes known too (level 2). Placements come from the service's own classifier and {@link TierDecider}.
 */
final class StaticExperiment {

  /** The population of chapter 2.4.1, in bytes: 48 of 1 GB, 200 of 100 MB, and 10,000 of these. */
  private static final long[] SIZES = {
    1 << 10, 4 << 10, 6 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 10 << 20, 50 << 20
  };

  private static final int FILES = 10_248;

  /** ext4 has 256 bytes of inode for each 16 KB: 2 GB, which is what the thesis reserves on SCM. */
  private static final int METADATA_CHUNKS = 2048;

  /** Blocks by which ext4 finds one of 512 names. */
  private static final int NAME = 2;

  private static final long CHUNK = TopChunks.CHUNK;
  private static final long GB = 1 << 30;
  private static final int THREADS = 50;
  private static final double THINK_SECONDS = 0.0001;
  private static final int RUNS = 3;
  private static final Duration HALF_LIFE = Duration.ofHours(6);

  private final long seed;
  private final long turn;
  private final int metadataPercent;
  private final DeviceSpec[] specs;
  private final List<FileView> files;
  private final long[] offsets;

  /** Devices of the files by tiers and level: the same whatever is read. */
  private final Map<String, int[]> placed;

  /** What the volume is made of, the slowest first. */
  enum Tiers {
    TWO(10 << 20, new StorageType[] {StorageType.DISK, StorageType.SSD}, new long[] {120, 40}),
    THREE(
        100 << 20,
        new StorageType[] {StorageType.DISK, StorageType.SSD, StorageType.NVDIMM},
        new long[] {120, 35, 5});

    /** Bytes of the smallest files that level 2 leaves on the disk. */
    private final long small;

    private final StorageType[] types;
    private final long[] gigabytes;

    Tiers(long small, StorageType[] types, long[] gigabytes) {
      this.small = small;
      this.types = types;
      this.gigabytes = gigabytes;
    }
  }

  StaticExperiment(long seed, Reading reading) {
    this.seed = seed;
    this.turn = reading.load().turn();
    this.metadataPercent = reading.metadataPercent();
    this.specs = reading.devices().toArray(new DeviceSpec[0]);
    this.files = new ArrayList<>();
    this.placed = new ConcurrentHashMap<>();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < FILES; i++) {
      long size = i < 48 ? GB : i < 248 ? 100 << 20 : SIZES[random.nextInt(SIZES.length)];
      add("/files/" + i, size);
    }
    if (reading.created() == Reading.Created.MIXED) {
      java.util.Collections.shuffle(files, new java.util.Random(seed));
    }
    for (int i = 0; i < METADATA_CHUNKS; i++) {
      add("/files/metadata/" + i, CHUNK);
    }
    offsets = new long[files.size()];
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = offsets[i - 1] + files.get(i - 1).length();
    }
  }

  private StaticExperiment(StaticExperiment files, Reading reading) {
    this.seed = files.seed;
    this.turn = reading.load().turn();
    this.metadataPercent = reading.metadataPercent();
    this.specs = reading.devices().toArray(new DeviceSpec[0]);
    this.files = files.files;
    this.placed = files.placed;
    this.offsets = files.offsets;
  }

  /** The same files by another reading, which has them created in the same order. */
  StaticExperiment by(Reading reading) {
    return new StaticExperiment(this, reading);
  }

  private void add(String path, long size) {
    FileView.Replica replica = new FileView.Replica("n", "DISK", StorageType.DISK);
    FileView.Block block = new FileView.Block("bp", files.size(), 1, size, List.of(replica));
    files.add(new FileView(path, size, 1, 0, List.of(block)));
  }

  /**
   * The average of three runs, as in the thesis.
   *
   * @param millis mean latency of all requests
   * @param seconds on the virtual clock until all was done, or the time was over
   */
  record Run(double millis, double seconds) {}

  /**
   * @param rounds of operations that each thread has to do
   * @param untilSeconds when it ends, whatever is left
   */
  Run run(Tiers tiers, StaticHints.Level level, int rounds, double untilSeconds) {
    int[] places = places(tiers, level);
    double millis = 0;
    double seconds = 0;
    for (int run = 1; run <= RUNS; run++) {
      Volume volume = new Volume(java.util.Arrays.copyOf(specs, tiers.types.length));
      // No other population's, nor another run's.
      SplittableRandom seeds = new SplittableRandom(RUNS * seed + run);
      for (int i = 0; i < THREADS; i++) {
        // Each thread has the same operations to do wherever files lie.
        SplittableRandom random = seeds.split();
        int[] left = {rounds};
        volume.thread(THINK_SECONDS, () -> left[0]-- > 0 ? operations(random, places) : List.of());
      }
      volume.run(untilSeconds);
      millis += volume.meanLatencyMillis();
      seconds += volume.now();
    }
    return new Run(millis / RUNS, seconds / RUNS);
  }

  /** Of the bytes of all files, how many are on faster devices than the disk, in percent. */
  double fastPercent(Tiers tiers, StaticHints.Level level) {
    int[] places = places(tiers, level);
    long fast = 0;
    long all = 0;
    for (int i = 0; i < FILES; i++) {
      fast += places[i] > 0 ? files.get(i).length() : 0;
      all += files.get(i).length();
    }
    return 100.0 * fast / all;
  }

  /**
   * Figures 2.5 and 2.6: the same on three tiers, while the most accessed chunks are migrated by a timer.
   *
   * @param millis mean latency of all requests
   * @param migrated bytes
   */
  record Migrated(double millis, long migrated) {}

  /**
   * @param every seconds from one migration to the next; more than {@code seconds}: none
   */
  Migrated migrated(StaticHints.Level level, double seconds, double every) {
    int[] places = places(Tiers.THREE, level);
    Volume volume = new Volume(specs);
    int last = files.size() - 1;
    int[] device = new int[chunk(offsets[last] + files.get(last).length()) + 1];
    int[] used = new int[specs.length];
    for (int file = 0; file <= last; file++) {
      int end = chunk(offsets[file] + files.get(file).length() - 1);
      java.util.Arrays.fill(device, chunk(offsets[file]), end + 1, places[file]);
    }
    for (int place : device) {
      used[place]++;
    }
    TopChunks top =
        new TopChunks(volume, device, used, (int) (Tiers.THREE.gigabytes[2] * GB / CHUNK));
    SplittableRandom seeds = new SplittableRandom(seed + 1);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = seeds.split();
      volume.thread(
          THINK_SECONDS,
          () -> operations(random, places).stream().map(each -> whereItIs(each, top)).toList());
    }
    top.every(every, seconds);
    volume.run(seconds);
    return new Migrated(volume.meanLatencyMillis(), volume.migratedBytes());
  }

  /** By chunks: small files that share one lie where it does. */
  private static Request whereItIs(Request request, TopChunks top) {
    int device = top.accessed(chunk(request.offset()));
    return new Request(device, request.offset(), request.bytes(), request.write());
  }

  private static int chunk(long offset) {
    return (int) (offset / CHUNK);
  }

  /** Filebench's file server, once through: create and write, append, read, delete, stat. */
  private List<Request> operations(SplittableRandom random, int[] places) {
    List<Request> all = new ArrayList<>();
    // 10,248 files in 20 directories are 512 names in each, which ext4 keeps in an index and three
    // leaves: a name is found by two blocks. With them inode, inode bitmap, group descriptor;
    // journal and commit. Then block bitmap, descriptor, inode; journal.
    int written = random.nextInt(FILES);
    metadata(all, random, places, written, NAME + 5 + 5);
    all.addAll(whole(places, written, true));
    int appended = random.nextInt(FILES);
    metadata(all, random, places, appended, NAME + 6);
    all.add(new Request(places[appended], offsets[appended], 16 << 10, true));
    int read = random.nextInt(FILES);
    metadata(all, random, places, read, NAME + 2);
    all.addAll(whole(places, read, false));
    metadata(all, random, places, random.nextInt(FILES), NAME + 9 + NAME + 1);
    return all;
  }

  private List<Request> whole(int[] places, int file, boolean write) {
    return Volume.whole(places[file], offsets[file], files.get(file).length(), write, turn);
  }

  /** Of a file, in the chunk that has its inode and bitmaps. */
  private void metadata(
      List<Request> all, SplittableRandom random, int[] places, int file, int count) {
    int chunk = metadataOf(file);
    for (int i = 0; i < count * metadataPercent / 100; i++) {
      long at = offsets[chunk] + (random.nextInt(256) << 12);
      all.add(new Request(places[chunk], at, 4 << 10, random.nextInt(3) > 0));
    }
  }

  /** ext4 spreads inodes and bitmaps over the volume, beside the data that they are of. */
  private static int metadataOf(int file) {
    return FILES + (int) ((long) file * METADATA_CHUNKS / FILES);
  }

  /** The device of each file: where it was first, linear over the volume, or where decisions have it. */
  private int[] places(Tiers tiers, StaticHints.Level level) {
    return placed.computeIfAbsent(tiers + " " + level, absent -> place(tiers, level));
  }

  private int[] place(Tiers tiers, StaticHints.Level level) {
    int[] places = new int[files.size()];
    boolean isKnown = level != StaticHints.Level.OFF;
    long[] left = new long[tiers.types.length];
    for (int i = 0; i < left.length; i++) {
      left[i] = (long) (0.98 * tiers.gigabytes[i] * GB);
    }
    int fastest = left.length - 1;
    if (isKnown) {
      decided(tiers, level, places, left);
    }
    for (int i = 0; i < FILES; i++) {
      if (isKnown && places[i] > 0) {
        continue;
      }
      // Linear from the slowest; at level 1 on three devices from the fastest, as in the thesis.
      boolean down = level == StaticHints.Level.LEVEL1 && tiers == Tiers.THREE;
      int device = down ? fastest : 0;
      while (device >= 0 && device <= fastest && left[device] < files.get(i).length()) {
        device += down ? -1 : 1;
      }
      places[i] = Math.max(0, Math.min(fastest, device));
      left[places[i]] -= files.get(i).length();
    }
    for (int file = 0; file < FILES && !isKnown; file++) {
      places[metadataOf(file)] = places[file];
    }
    return places;
  }

  private void decided(Tiers tiers, StaticHints.Level level, int[] places, long[] left) {
    StaticHints hints = new StaticHints(level, StaticHints.TABLE_2_2, tiers.small);
    List<HotFile> hot = new ArrayList<>();
    for (FileView file : files) {
      HotFile plain = new HotFile(file, 0);
      hot.add(
          hints
              .expectation(file.path(), file.length(), HintRates.DEFAULT)
              .map(expected -> plain.with(expected, List.of(), HALF_LIFE))
              .orElse(plain));
    }
    Map<StorageType, TierLimits> limits = new java.util.EnumMap<>(StorageType.class);
    List<ClusterView.Storage> storages = new ArrayList<>();
    for (int i = 0; i < tiers.types.length; i++) {
      limits.put(tiers.types[i], new TierLimits(0.95, 0.98, 1));
      long capacity = tiers.gigabytes[i] * GB * (i == 0 ? 4 : 1);
      long used = i == 0 ? 140 * GB : 0;
      String type = tiers.types[i].name();
      storages.add(new ClusterView.Storage(type, "n", tiers.types[i], capacity, capacity - used));
    }
    ClusterView cluster =
        new ClusterView(Map.of("n", new ClusterView.Node("n", "n", "/r", storages)), CHUNK);
    Map<String, Integer> devices = new java.util.HashMap<>();
    for (Decision decision : new TierDecider(Tiering.plain(limits, 0.2)).decide(hot, cluster)) {
      int device = List.of(tiers.types).indexOf(decision.target().lead());
      devices.put(decision.hot().file().path(), device);
    }
    for (int i = 0; i < places.length; i++) {
      places[i] = devices.getOrDefault(files.get(i).path(), 0);
      if (places[i] > 0) {
        left[places[i]] -= files.get(i).length();
      }
    }
  }
}
