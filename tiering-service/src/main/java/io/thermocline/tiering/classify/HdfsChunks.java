// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files as chunks: each file by itself, small ones with all small ones of their directory. What was done with them is the
 * difference of two profiles. Pure.
 */
public final class HdfsChunks {

  /** Ends the id of a group; no path of HDFS ends in it. */
  private static final String GROUP = "/";

  private final long smallBelow;

  /**
   * @param smallBelow bytes; shorter files are grouped; 0 groups none
   */
  public HdfsChunks(long smallBelow) {
    this.smallBelow = smallBelow;
  }

  /**
   * The whole chunks. Empty files, which take no space, are left out.
   *
   * @param before profiles at the beginning of the window, by path
   * @param now at its end; a file without one was not accessed as far as is known
   */
  public List<ChunkActivity> of(
      List<FileView> files,
      Map<String, Profile> before,
      Map<String, Profile> now,
      Duration window) {
    List<ChunkActivity> chunks = new ArrayList<>();
    Map<String, List<ChunkActivity>> small = new TreeMap<>();
    for (FileView file : files) {
      if (file.length() == 0) {
        continue;
      }
      boolean isSmall = file.length() < smallBelow;
      String group = isSmall ? directoryOf(file.path()) + GROUP : "";
      Profile profile = now.get(file.path());
      ChunkActivity activity =
          new ChunkActivity(
              new Chunk(file.path(), Chunk.Kind.FILE, file.length(), group),
              accesses(file, before.get(file.path()), profile),
              profile == null || profile.bytesRead() > 0
                  ? ChunkActivity.Source.HDFS
                  : ChunkActivity.Source.HDFS_AUDIT_ONLY,
              window);
      if (isSmall) {
        small.computeIfAbsent(group, key -> new ArrayList<>()).add(activity);
      } else {
        chunks.add(activity);
      }
    }
    small.forEach((group, members) -> chunks.add(sum(group, members, window)));
    return List.copyOf(chunks);
  }

  private static ChunkActivity sum(String group, List<ChunkActivity> members, Duration window) {
    long bytes = 0;
    Accesses accesses = Accesses.NONE;
    boolean known = true;
    for (ChunkActivity one : members) {
      bytes += one.chunk().bytes();
      accesses = accesses.plus(one.accesses());
      known &= one.source().sequentialityKnown();
    }
    return new ChunkActivity(
        new Chunk(group, Chunk.Kind.GROUP, bytes, ""),
        accesses,
        known ? ChunkActivity.Source.HDFS : ChunkActivity.Source.HDFS_AUDIT_ONLY,
        window);
  }

  /** Where nobody tells bytes, a file is taken to be read and written whole each time. */
  private static Accesses accesses(FileView file, Profile before, Profile now) {
    if (now == null) {
      return Accesses.NONE;
    }
    // A profile that began later counts from its beginning.
    Profile from = before != null && before.since() == now.since() ? before : null;
    long reads = now.reads() - (from == null ? 0 : from.reads());
    long writes = now.writes() - (from == null ? 0 : from.writes());
    long rewrites = now.rewrites() - (from == null ? 0 : from.rewrites());
    long sequential = now.sequentialBytes() - (from == null ? 0 : from.sequentialBytes());
    long bytesRead = now.bytesRead() - (from == null ? 0 : from.bytesRead());
    // Reads that were taken back may leave fewer than there were.
    reads = Math.max(0, reads);
    Accesses accesses = Accesses.NONE;
    if (now.bytesRead() > 0) {
      long inSequence = bytesRead == 0 ? 0 : Math.round((double) reads * sequential / bytesRead);
      accesses =
          accesses
              .plus(AccessClass.SEQUENTIAL_READ, inSequence, sequential)
              .plus(AccessClass.RANDOM_READ, reads - inSequence, bytesRead - sequential);
    } else {
      accesses = accesses.plus(AccessClass.RANDOM_READ, reads, reads * file.length());
    }
    long plainWrites = Math.max(0, writes - rewrites);
    return accesses
        .plus(AccessClass.SEQUENTIAL_WRITE, plainWrites, plainWrites * file.length())
        .plus(AccessClass.OVERWRITE, rewrites, rewrites * file.length());
  }

  private static String directoryOf(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }
}
