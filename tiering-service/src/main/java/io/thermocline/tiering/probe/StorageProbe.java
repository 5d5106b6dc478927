// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.probe;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/** Measures each storage type of a cluster with one reader or writer at a time. One thread. */
public final class StorageProbe {

  /*
   * A type is reached by a file with one copy, under a storage policy whose first copy goes there; HDFS takes another type
   * without a word where that one has no room, or where a placement policy has other ideas, so where each block lies is
   * looked up.
   *
   * No byte is read twice, and none of those that were read in sequence at random: a DataNode keeps in memory what it has just
   * read or written, and serves that faster than any device. It is asked to drop what was written and read, and does
   * where it has Hadoop's native library. So offsets at random are of the first half of the file, and the second half is
   * read in sequence.
   *
   * Types take turns, and the first round doesn't count: who is measured first would else pay for what a client and
   * DataNodes do once.
   */
  private final DistributedFileSystem hdfs;
  private final HdfsReader reader;
  private final Scratch scratch;
  private final ProbeLimits limits;
  private final Time time;
  private final Consumer<String> progress;

  /**
   * Time and chance.
   *
   * @param nanos monotonic
   */
  public record Time(Clock clock, LongSupplier nanos, SplittableRandom random) {}

  /**
   * @param progress told of each step
   */
  public StorageProbe(
      DistributedFileSystem hdfs,
      Scratch scratch,
      ProbeLimits limits,
      Time time,
      Consumer<String> progress) {
    this.hdfs = hdfs;
    this.reader = new HdfsReader(hdfs.getClient());
    this.scratch = scratch;
    this.limits = limits;
    this.time = time;
    this.progress = progress;
  }

  /** All types that the live DataNodes have and that data can be moved to. */
  public Probed run() throws IOException {
    ClusterView cluster = reader.cluster();
    List<StorageType> types =
        cluster.occupancy().keySet().stream()
            .filter(StorageType::isMovable)
            .sorted(Comparator.reverseOrder())
            .toList();
    Map<StorageType, Measured> measured = new EnumMap<>(StorageType.class);
    Map<StorageType, String> unmeasured = new EnumMap<>(StorageType.class);
    each(types, unmeasured, type -> measured.put(type, new Measured(type, cluster)));
    for (int round = 0; round < ProbeLimits.ROUNDS; round++) {
      // Nobody is always the first.
      List<StorageType> order = new ArrayList<>(types);
      Collections.rotate(order, round);
      int now = round;
      for (Step step : Step.values()) {
        each(order, unmeasured, type -> measured.get(type).take(step, now));
      }
    }
    List<TypeSpeed> speeds = new ArrayList<>();
    each(types, unmeasured, type -> speeds.add(measured.get(type).speed()));
    return new Probed(speeds, unmeasured);
  }

  /** What is done for a type. */
  @FunctionalInterface
  private interface Task {
    void run(StorageType type) throws IOException;
  }

  private static void each(List<StorageType> types, Map<StorageType, String> unmeasured, Task task)
      throws IOException {
    for (StorageType type : types) {
      if (unmeasured.containsKey(type)) {
        continue;
      }
      try {
        task.run(type);
      } catch (Unmeasured e) {
        unmeasured.put(type, e.getMessage());
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        unmeasured.put(type, firstLine(e));
      }
    }
  }

  private static String firstLine(IOException e) {
    return e.getMessage() == null
        ? e.toString()
        : e.getMessage().lines().findFirst().orElse(e.toString());
  }

  /** Why a type has no numbers. */
  private static final class Unmeasured extends IOException {
    private static final long serialVersionUID = 1;

    Unmeasured(String message) {
      super(message);
    }
  }

  private enum Step {
    WRITE("writing"),
    OVERWRITE("writing again"),
    RANDOM("reading at random"),
    SEQUENTIAL("reading in sequence");

    private final String words;

    Step(String words) {
      this.words = words;
    }
  }

  /** A type that is measured: a file each round, and what came of each step. */
  private final class Measured {
    private final StorageType type;
    private final String policy;
    private final Path directory;
    private final long bytes;
    private final Instant at = time.clock().instant();
    private final Map<Step, List<Timed>> rounds = new EnumMap<>(Step.class);
    private long lastBytes;

    Measured(StorageType type, ClusterView cluster) throws IOException {
      this.type = type;
      this.bytes =
          Math.min(limits.fileBytes(), room(type, cluster))
              / ProbeLimits.ROUNDS
              / TypeSpeed.REQUEST
              * TypeSpeed.REQUEST;
      if (bytes < ProbeLimits.LEAST_ROUND) {
        throw new Unmeasured("no volume has room for a file and a block");
      }
      this.policy = policyThatLeadsTo(type);
      this.directory = scratch.withPolicy(policy);
      for (Step step : Step.values()) {
        rounds.put(step, new ArrayList<>());
      }
    }

    /** The first round warms up the client and the DataNodes: it doesn't count. */
    void take(Step step, int round) throws IOException {
      progress.accept(
          "%s: %s, round %d of %d%s"
              .formatted(
                  type,
                  step.words,
                  round + 1,
                  ProbeLimits.ROUNDS,
                  round == 0 ? ", to warm up" : ""));
      Path file = new Path(directory, "probe" + round);
      long until = time.nanos().getAsLong() + limits.stepNanos() / ProbeLimits.ROUNDS;
      Timed timed =
          switch (step) {
            case WRITE -> write(file, bytes, until);
            case OVERWRITE -> write(file, lastBytes, until);
            case RANDOM -> readAtRandom(file, lastBytes, until);
            case SEQUENTIAL -> readInSequence(file, lastBytes, until);
          };
      if (step == Step.WRITE || step == Step.OVERWRITE) {
        check(type, file, timed);
        lastBytes = timed.bytes;
      } else if (step == Step.SEQUENTIAL) {
        scratch.delete(file);
      }
      if (round > 0) {
        rounds.get(step).add(timed);
      }
    }

    TypeSpeed speed() {
      return new TypeSpeed(
          type,
          policy,
          rounds.get(Step.OVERWRITE).stream().mapToLong(Timed::bytes).sum(),
          median(Step.WRITE),
          median(Step.OVERWRITE),
          median(Step.SEQUENTIAL),
          median(Step.RANDOM) / TypeSpeed.REQUEST,
          Arrays.stream(Step.values()).mapToDouble(this::spread).max().orElseThrow(),
          at);
    }

    private double[] speeds(Step step) {
      return rounds.get(step).stream().mapToDouble(Timed::bytesPerSecond).sorted().toArray();
    }

    private double median(Step step) {
      double[] speeds = speeds(step);
      return speeds[speeds.length / 2];
    }

    private double spread(Step step) {
      double[] speeds = speeds(step);
      return (speeds[speeds.length - 1] - speeds[0]) / median(step);
    }
  }

  /** The first of {@link #policies} by which a file of one request gets there. */
  private String policyThatLeadsTo(StorageType type) throws IOException {
    List<String> elsewhere = new ArrayList<>();
    for (String policy : policies(type)) {
      Path file = new Path(scratch.withPolicy(policy), "place");
      write(file, TypeSpeed.REQUEST, Long.MAX_VALUE);
      String places = placesOtherThan(type, file);
      scratch.delete(file);
      if (places.isEmpty()) {
        return policy;
      }
      elsewhere.add("under " + policy + " HDFS put " + places);
    }
    throw new Unmeasured(
        elsewhere.isEmpty()
            ? "no storage policy puts the first copy there"
            : String.join("; ", elsewhere));
  }

  private void check(StorageType type, Path file, Timed written) throws IOException {
    if (written.bytes < ProbeLimits.LEAST_ROUND) {
      throw new Unmeasured(
          "only " + written.bytes + " bytes were written in time: give it more --seconds");
    }
    String places = placesOtherThan(type, file);
    if (!places.isEmpty()) {
      throw new Unmeasured("HDFS put " + places);
    }
  }

  /** Of the emptiest volume, which a new file surely has, and what HDFS wants left besides. */
  private static long room(StorageType type, ClusterView cluster) {
    long most =
        cluster.nodes().values().stream()
            .flatMap(node -> node.storages(type).stream())
            .mapToLong(ClusterView.Storage::remaining)
            .max()
            .orElse(0);
    // Two files are there while one replaces the other.
    return Math.max(0, most - 2 * cluster.blockSize()) / 2 / TypeSpeed.REQUEST * TypeSpeed.REQUEST;
  }

  /** Those whose only copy would lie there, the one with nothing else first. */
  private List<String> policies(StorageType type) throws IOException {
    List<BlockStoragePolicy> found = new ArrayList<>();
    for (BlockStoragePolicy policy : hdfs.getClient().getStoragePolicies()) {
      List<org.apache.hadoop.fs.StorageType> one = policy.chooseStorageTypes((short) 1);
      boolean isThere = one.size() == 1 && one.get(0).name().equals(type.name());
      if (isThere && !policy.isCopyOnCreateFile()) {
        found.add(policy);
      }
    }
    found.sort(
        Comparator.comparing(
            (BlockStoragePolicy policy) ->
                policy.chooseStorageTypes((short) 3).stream().distinct().count()));
    return found.stream().map(BlockStoragePolicy::getName).toList();
  }

  /** Which blocks of how many lie elsewhere; "" for none. */
  private String placesOtherThan(StorageType type, Path file) throws IOException {
    FileView view =
        reader
            .file(file.toUri().getPath())
            .orElseThrow(() -> new Unmeasured(file + " is gone or can't be looked at"));
    List<StorageType> others =
        view.blocks().stream()
            .flatMap(block -> block.types().stream())
            .filter(found -> found != type)
            .toList();
    return others.isEmpty()
        ? ""
        : others.size() + " of " + view.blocks().size() + " blocks on " + new TreeSet<>(others);
  }

  private record Timed(long bytes, long nanos) {
    double bytesPerSecond() {
      return bytes * 1e9 / Math.max(1, nanos);
    }
  }

  private Timed write(Path file, long bytes, long until) throws IOException {
    byte[] request = new byte[TypeSpeed.REQUEST];
    long begun = time.nanos().getAsLong();
    long written = 0;
    try (FSDataOutputStream out = scratch.create(file)) {
      while (written < bytes && time.nanos().getAsLong() < until) {
        time.random().nextBytes(request);
        out.write(request);
        written += request.length;
      }
    }
    return new Timed(written, time.nanos().getAsLong() - begun);
  }

  private Timed readAtRandom(Path file, long bytes, long until) throws IOException {
    List<Integer> slots = new ArrayList<>();
    for (int slot = 0; slot < bytes / 2 / TypeSpeed.REQUEST; slot++) {
      slots.add(slot);
    }
    // The order is drawn before the time begins.
    Collections.shuffle(slots, new Random(time.random().nextLong()));
    byte[] request = new byte[TypeSpeed.REQUEST];
    long read = 0;
    try (FSDataInputStream in = open(file)) {
      long begun = time.nanos().getAsLong();
      for (int slot : slots) {
        if (read > 0 && time.nanos().getAsLong() >= until) {
          break;
        }
        in.readFully((long) slot * TypeSpeed.REQUEST, request);
        read += request.length;
      }
      return new Timed(read, time.nanos().getAsLong() - begun);
    }
  }

  private Timed readInSequence(Path file, long bytes, long until) throws IOException {
    byte[] request = new byte[TypeSpeed.REQUEST];
    long read = 0;
    long from = bytes / 2 / TypeSpeed.REQUEST * TypeSpeed.REQUEST;
    try (FSDataInputStream in = open(file)) {
      in.seek(from);
      long begun = time.nanos().getAsLong();
      while (from + read < bytes && (read == 0 || time.nanos().getAsLong() < until)) {
        in.readFully(request);
        read += request.length;
      }
      return new Timed(read, time.nanos().getAsLong() - begun);
    }
  }

  private FSDataInputStream open(Path file) throws IOException {
    FSDataInputStream in = hdfs.open(file);
    in.setDropBehind(true);
    return in;
  }
}
