// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.act.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.CallerContext;

/**
 * Clients at work, each a thread with file systems and a caller context of its own, in one JVM. Half of them read sets,
 * drawn evenly, then rest for two to four seconds; half read any one file, then rest for half a second to one and a
 * half.
 */
final class SetReaders implements AutoCloseable {
  private static final long ENDS_WITHIN_SECONDS = 120;

  /** How sets are read. */
  enum Way {
    PLAIN,
    GROUPS,
    HAR,
    SEQUENCE_FILE
  }

  private record Window(Way way, boolean counts) {}

  private final SetScale scale;
  private final SetPeers peers;
  private final EmbeddedCluster cluster;
  private final Pause pause;
  private final LongSupplier nanos;
  private final ExecutorService threads;
  private final List<Future<?>> working = new ArrayList<>();
  private final List<FileSystem> opened = new ArrayList<>();
  private final AtomicIntegerArray reads;
  private final Map<Way, List<Long>> ofPinned = new EnumMap<>(Way.class);
  private final Map<Way, List<Long>> ofFree = new EnumMap<>(Way.class);
  private final Map<Way, List<Long>> ofOthers = new EnumMap<>(Way.class);

  /** Client and set, as the JVM's memory would keep them where nothing else took any of it. */
  private final Map<Long, Boolean> kept = new LinkedHashMap<>(16, 0.75f, true);

  private long countedThroughGroups;
  private long countedFromMemory;
  private volatile Window window = new Window(Way.PLAIN, false);
  private volatile boolean isEnding;

  SetReaders(
      SetScale scale, SetPeers peers, EmbeddedCluster cluster, Pause pause, LongSupplier nanos) {
    this.scale = scale;
    this.peers = peers;
    this.cluster = cluster;
    this.pause = pause;
    this.nanos = nanos;
    this.reads = new AtomicIntegerArray(scale.sets());
    this.threads = Executors.newFixedThreadPool(2 * scale.readers());
    for (Way way : Way.values()) {
      ofPinned.put(way, new ArrayList<>());
      ofFree.put(way, new ArrayList<>());
      ofOthers.put(way, new ArrayList<>());
    }
  }

  /** Lets all clients begin. */
  void start(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int client = 0; client < scale.readers(); client++) {
      Client ofSets = new Client("sets-" + client, client, random.split(), true);
      Client ofOthers = new Client("any-" + client, client, random.split(), false);
      working.add(threads.submit(ofSets::work));
      working.add(threads.submit(ofOthers::work));
    }
  }

  /** Sets are read in these ways in turn, for a window each. */
  void turns(List<Way> ways, boolean counts) throws IOException, InterruptedException {
    for (Way way : ways) {
      window = new Window(way, counts);
      pause.pause(scale.window());
      for (Future<?> each : working) {
        if (each.isDone()) {
          await(each);
        }
      }
    }
  }

  private static void await(Future<?> client) throws IOException, InterruptedException {
    try {
      client.get();
    } catch (ExecutionException e) {
      throw new IOException("a client failed", e.getCause());
    }
  }

  /** How often a set's files were read from HDFS themselves, or through groups. */
  int reads(int set) {
    return reads.get(set);
  }

  /** Nanoseconds of each read of a set whose files stay on disks, sorted. */
  synchronized long[] ofPinned(Way way) {
    return sorted(ofPinned.get(way));
  }

  /** The same of sets whose files the service may move. */
  synchronized long[] ofFree(Way way) {
    return sorted(ofFree.get(way));
  }

  /** Nanoseconds of each read of one file by the other half, while sets were read in this way, sorted. */
  synchronized long[] ofOthers(Way way) {
    return sorted(ofOthers.get(way));
  }

  private static long[] sorted(List<Long> times) {
    return times.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  /** Share of the counted reads through groups, of sets that the client had in memory from a read before, at most. */
  synchronized double fromMemory() {
    return countedThroughGroups == 0 ? 0 : (double) countedFromMemory / countedThroughGroups;
  }

  private synchronized void done(Client client, Window in, int set, long taken) {
    if (in.way() == Way.PLAIN || in.way() == Way.GROUPS) {
      reads.incrementAndGet(set);
    }
    if (in.way() == Way.GROUPS) {
      boolean isKept = kept.put((long) client.number << 32 | set, true) != null;
      if (kept.size() > scale.memory() / (SetScale.FILES * SetScale.FILE_BYTES)) {
        kept.remove(kept.keySet().iterator().next());
      }
      countedThroughGroups += in.counts() ? 1 : 0;
      countedFromMemory += in.counts() && isKept ? 1 : 0;
    }
    if (in.counts()) {
      (SetScale.isPinned(set) ? ofPinned : ofFree).get(in.way()).add(taken);
    }
  }

  private synchronized void doneOther(Window in, long taken) {
    if (in.counts() && in == window) {
      ofOthers.get(in.way()).add(taken);
    }
  }

  @Override
  public void close() throws IOException {
    isEnding = true;
    threads.shutdown();
    try {
      if (!threads.awaitTermination(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (FileSystem each : opened) {
      each.close();
    }
  }

  /** One of them. */
  private final class Client {
    private final String name;
    private final int number;
    private final SplittableRandom random;
    private final boolean isOfSets;
    private final FileSystem plain;
    private final FileSystem grouped;
    private final FileSystem archive;
    private final FileSystem prefetching;

    Client(String name, int number, SplittableRandom random, boolean isOfSets) throws IOException {
      this.name = name;
      this.number = number;
      this.random = random;
      this.isOfSets = isOfSets;
      Configuration conf = cluster.configuration();
      plain = open(conf);
      if (isOfSets) {
        Configuration more = new Configuration(conf);
        SetPeers.prefetch(more);
        prefetching = open(more);
        archive = peers.archive(prefetching);
        Configuration groups = new Configuration(conf);
        groups.set("fs.hdfs.impl", HintingFileSystem.class.getName());
        groups.set("thermocline.hints.groups", SetCluster.GROUPS.toUri().getPath());
        groups.setInt("thermocline.hints.groups.memory", scale.memory());
        grouped = open(groups);
      } else {
        prefetching = null;
        archive = null;
        grouped = null;
      }
    }

    private FileSystem open(Configuration conf) throws IOException {
      FileSystem fs = FileSystem.newInstance(cluster.uri(), conf);
      opened.add(fs);
      return fs;
    }

    Void work() throws IOException, InterruptedException {
      CallerContext.setCurrent(new CallerContext.Builder(name).build());
      rest(0, 4000);
      byte[] content = new byte[SetScale.FILE_BYTES];
      while (!isEnding) {
        Window in = window;
        if (isOfSets) {
          int set = random.nextInt(scale.sets());
          long start = nanos.getAsLong();
          readSet(in.way(), set, content);
          done(this, in, set, nanos.getAsLong() - start);
          rest(2000, 4000);
        } else {
          int files = scale.sets() * SetScale.FILES;
          int any = random.nextInt(files + scale.others());
          long start = nanos.getAsLong();
          read(
              plain,
              new Path(
                  any < files
                      ? SetScale.file(any / SetScale.FILES, any % SetScale.FILES)
                      : SetScale.other(any - files)),
              content);
          doneOther(in, nanos.getAsLong() - start);
          rest(500, 1500);
        }
      }
      return null;
    }

    private void readSet(Way way, int set, byte[] content) throws IOException {
      if (way == Way.SEQUENCE_FILE) {
        peers.readSequence(prefetching, set);
        return;
      }
      for (int file = 0; file < SetScale.FILES; file++) {
        switch (way) {
          case HAR -> read(archive, SetPeers.inArchive(archive, set, file), content);
          case GROUPS -> read(grouped, new Path(SetScale.file(set, file)), content);
          default -> read(plain, new Path(SetScale.file(set, file)), content);
        }
      }
    }

    private void read(FileSystem fs, Path path, byte[] content) throws IOException {
      try (FSDataInputStream in = fs.open(path)) {
        in.readFully(content);
      }
    }

    private void rest(int least, int most) throws InterruptedException {
      pause.pause(Duration.ofMillis(random.nextInt(least, most)));
    }
  }
}
