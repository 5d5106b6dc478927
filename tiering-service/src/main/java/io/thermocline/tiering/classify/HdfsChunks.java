// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import io.thermocline.tiering.heat.BlockReads;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Files as chunks: each file by itself, small ones with all small ones of their directory. What was done with them is the
 * difference of two profiles, and what clienttrace told of their blocks. Pure.
 */
public final class HdfsChunks {

  /** Ends the id of a group; no path of HDFS ends in it. */
  private static final String GROUP = "/";

  /** Between a file's path and the index of a block. */
  private static final String BLOCK = "#";

  private final long smallBelow;

  /**
   * @param smallBelow bytes; shorter files are grouped; 0 groups none
   */
  public HdfsChunks(long smallBelow) {
    this.smallBelow = smallBelow;
  }

  /**
   * What was observed from one moment to another.
   *
   * @param before profiles at the beginning, by path
   * @param now at its end; a file without one was not accessed as far as is known
   * @param told by clienttrace, by block; empty where each profile has all that is known of its file's bytes
   * @param end milliseconds since 1970
   */
  public record Window(
      Map<String, Profile> before,
      Map<String, Profile> now,
      Optional<Map<Long, BlockReads>> told,
      long end,
      Duration length) {

    /** Of a profile that began before the window and that it has no beginning of, all counts since then are known. */
    private Duration of(String path) {
      Profile profile = now.get(path);
      boolean isWhole = profile == null || before.containsKey(path);
      long since = isWhole ? 0 : end - profile.since();
      return since > length.toMillis() ? Duration.ofMillis(since) : length;
    }
  }

  /** The chunk that a file is in: its own path, or that of its directory with a slash. */
  public String idOf(FileView file) {
    return file.length() < smallBelow
        ? file.path().substring(0, file.path().lastIndexOf('/')) + GROUP
        : file.path();
  }

  /** The whole chunks. Empty files, which take no space, are left out. */
  public List<ChunkActivity> of(List<FileView> files, Window window) {
    List<ChunkActivity> chunks = new ArrayList<>();
    Map<String, List<ChunkActivity>> small = new TreeMap<>();
    for (FileView file : files) {
      if (file.length() == 0) {
        continue;
      }
      String id = idOf(file);
      boolean isSmall = !id.equals(file.path());
      ChunkActivity activity = activity(whole(file), file, window);
      if (isSmall) {
        small.computeIfAbsent(id, key -> new ArrayList<>()).add(activity);
      } else {
        chunks.add(activity);
      }
    }
    small.forEach((group, members) -> chunks.add(sum(group, members)));
    return List.copyOf(chunks);
  }

  /** The chunk of one block of a file, by its index. */
  public static String blockId(FileView file, int index) {
    return file.path() + BLOCK + index;
  }

  /** The index of the first block of a chunk that has the id of a block. */
  public static int firstBlock(Chunk chunk) {
    return Integer.parseInt(chunk.id().substring(chunk.whole().length() + BLOCK.length()));
  }

  /**
   * The blocks of a file, in order; none where clienttrace doesn't tell which of them were read. What is
   * written to a file is written to each of its blocks.
   */
  public List<ChunkActivity> blocks(FileView file, Window window) {
    if (window.told().isEmpty()
        || !activity(whole(file), file, window).source().sequentialityKnown()) {
      return List.of();
    }
    Map<Long, BlockReads> told = window.told().get();
    List<ChunkActivity> blocks = new ArrayList<>();
    for (FileView.Block block : file.blocks()) {
      BlockReads reads = told.get(block.id());
      blocks.add(
          new ChunkActivity(
              new Chunk(
                  blockId(file, blocks.size()), Chunk.Kind.BLOCK, block.length(), file.path()),
              (reads == null ? Accesses.NONE : accesses(reads))
                  .plus(writes(file.path(), block.length(), window)),
              ChunkActivity.Source.HDFS,
              window.of(file.path())));
    }
    return blocks;
  }

  private static Chunk whole(FileView file) {
    return new Chunk(file.path(), Chunk.Kind.FILE, file.length(), "");
  }

  private static ChunkActivity sum(String group, List<ChunkActivity> members) {
    long bytes = 0;
    Accesses accesses = Accesses.NONE;
    boolean known = true;
    Duration window = Duration.ZERO;
    for (ChunkActivity one : members) {
      bytes += one.chunk().bytes();
      accesses = accesses.plus(one.accesses());
      known &= one.source().sequentialityKnown();
      window = window.compareTo(one.window()) < 0 ? one.window() : window;
    }
    return new ChunkActivity(
        new Chunk(group, Chunk.Kind.GROUP, bytes, ""),
        accesses,
        known ? ChunkActivity.Source.HDFS : ChunkActivity.Source.HDFS_AUDIT_ONLY,
        window);
  }

  /** Where nobody tells bytes, a file is taken to be read whole each time. */
  private static ChunkActivity activity(Chunk chunk, FileView file, Window window) {
    // Reads that were taken back may leave fewer than there were.
    long reads = Math.max(0, difference(window, file.path(), Profile::reads));
    Accesses told =
        window.told().map(all -> sumOf(file, all)).orElseGet(() -> profiled(file, reads, window));
    boolean isKnown = reads == 0 || told.requests() > 0;
    Accesses read =
        isKnown ? told : Accesses.NONE.plus(AccessClass.RANDOM_READ, reads, reads * file.length());
    return new ChunkActivity(
        chunk,
        read.plus(writes(file.path(), file.length(), window)),
        isKnown ? ChunkActivity.Source.HDFS : ChunkActivity.Source.HDFS_AUDIT_ONLY,
        window.of(file.path()));
  }

  private static Accesses sumOf(FileView file, Map<Long, BlockReads> told) {
    Accesses sum = Accesses.NONE;
    for (FileView.Block block : file.blocks()) {
      BlockReads reads = told.get(block.id());
      sum = reads == null ? sum : sum.plus(accesses(reads));
    }
    return sum;
  }

  private static Accesses accesses(BlockReads reads) {
    return Accesses.NONE
        .plus(AccessClass.SEQUENTIAL_READ, reads.sequential(), reads.sequentialBytes())
        .plus(AccessClass.RANDOM_READ, reads.random(), reads.randomBytes());
  }

  /** The reads by the share of the profile's bytes; none where it has no bytes. */
  private static Accesses profiled(FileView file, long reads, Window window) {
    long bytes = difference(window, file.path(), Profile::bytesRead);
    if (bytes <= 0) {
      return Accesses.NONE;
    }
    long sequential = difference(window, file.path(), Profile::sequentialBytes);
    long inSequence = Math.round((double) reads * sequential / bytes);
    return Accesses.NONE
        .plus(AccessClass.SEQUENTIAL_READ, inSequence, sequential)
        .plus(AccessClass.RANDOM_READ, reads - inSequence, bytes - sequential);
  }

  private static Accesses writes(String path, long bytes, Window window) {
    long rewrites = difference(window, path, Profile::rewrites);
    long plain = Math.max(0, difference(window, path, Profile::writes) - rewrites);
    return Accesses.NONE
        .plus(AccessClass.SEQUENTIAL_WRITE, plain, plain * bytes)
        .plus(AccessClass.OVERWRITE, rewrites, rewrites * bytes);
  }

  private static long difference(Window window, String path, ToLongFunction<Profile> count) {
    Profile now = window.now().get(path);
    if (now == null) {
      return 0;
    }
    // A profile that began later counts from its beginning.
    Profile before = window.before().get(path);
    boolean isSame = before != null && before.since() == now.since();
    return count.applyAsLong(now) - (isSame ? count.applyAsLong(before) : 0);
  }
}
