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
   * @param progress told of each step, with what all of them may still take
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
    List<TypeSpeed> speeds = new ArrayList<>();
    Map<StorageType, String> unmeasured = new EnumMap<>(StorageType.class);
    for (int i = 0; i < types.size(); i++) {
      StorageType type = types.get(i);
      Steps steps = new Steps(type, types.size() - i);
      try {
        speeds.add(measure(type, cluster, steps));
      } catch (Unmeasured e) {
        unmeasured.put(type, e.getMessage());
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        unmeasured.put(type, firstLine(e));
      }
    }
    return new Probed(speeds, unmeasured);
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

  /** Says which step begins, and how long all that are left may take. */
  private final class Steps {
    private final StorageType type;
    private final int typesLeft;
    private int begun;

    Steps(StorageType type, int typesLeft) {
      this.type = type;
      this.typesLeft = typesLeft;
    }

    /** The end of the step, in {@link Time#nanos}. */
    long begin(String what) {
      long left = limits.stepNanos() * ((long) typesLeft * ProbeLimits.STEPS - begun++);
      progress.accept(
          type + ": " + what + "; at most " + (left + 999_999_999) / 1_000_000_000 + " s left");
      return time.nanos().getAsLong() + limits.stepNanos();
    }
  }

  private TypeSpeed measure(StorageType type, ClusterView cluster, Steps steps) throws IOException {
    long bytes = Math.min(limits.fileBytes(), room(type, cluster));
    if (bytes < ProbeLimits.LEAST / 2) {
      throw new Unmeasured("no volume has room for a file and a block");
    }
    String policy = policyThatLeadsTo(type);
    Path file = new Path(scratch.withPolicy(policy), "probe");
    Instant at = time.clock().instant();
    Timed written = write(file, bytes, steps.begin("writing under " + policy));
    check(type, file, written);
    Timed again = write(file, written.bytes, steps.begin("writing again"));
    check(type, file, again);
    Timed random = readAtRandom(file, again.bytes, steps.begin("reading at random"));
    Timed sequential = readInSequence(file, again.bytes, steps.begin("reading in sequence"));
    scratch.delete(file.getParent());
    return new TypeSpeed(
        type,
        policy,
        again.bytes,
        written.bytesPerSecond(),
        again.bytesPerSecond(),
        sequential.bytesPerSecond(),
        random.bytesPerSecond() / TypeSpeed.REQUEST,
        at);
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
    if (written.bytes < ProbeLimits.LEAST / 2) {
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
