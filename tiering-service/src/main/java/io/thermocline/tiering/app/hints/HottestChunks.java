// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * HintStor's timer (thesis, chapter 2.3.2): each time, the k most accessed chunks are prefetched to the fastest type, as
 * hints of the service that hold until the next time. One thread.
 *
 * <p>HintStor's chunks are equal pieces of a volume. Those of HDFS are files, and the small files of a directory together; each
 * counts as so many equal pieces as it has bytes for, and its heat is that of one of them. A file that is read is taken to be read whole, so
 * that its pieces are as hot as itself; small files share a piece, and their reads add up.
 */
final class HottestChunks {

  private final HintOperations.Timer timer;
  private final HdfsChunks chunks;
  private final HintRegistry registry;
  private final Supplier<List<Profile>> profiles;
  private final Predicate<String> isManaged;
  private long dueMillis;

  /**
   * A chunk.
   *
   * @param members paths of its files that were read
   * @param pieces that it has bytes for
   * @param heat of one of them
   */
  private record Ranked(String id, List<String> members, long pieces, double heat) {}

  /**
   * @param profiles of the hottest, in no order
   */
  HottestChunks(
      HintOperations.Timer timer,
      HdfsChunks chunks,
      HintRegistry registry,
      Supplier<List<Profile>> profiles,
      Predicate<String> isManaged) {
    this.timer = timer;
    this.chunks = chunks;
    this.registry = registry;
    this.profiles = profiles;
    this.isManaged = isManaged;
  }

  /**
   * Makes the hints where it is time to; the first time is one interval after the start.
   *
   * @param files as HDFS shows them
   */
  void note(Collection<FileView> files, long nowMillis) {
    long every = timer.every().toMillis();
    if (every == 0 || dueMillis == 0) {
      dueMillis = nowMillis + every;
    } else if (nowMillis >= dueMillis) {
      dueMillis = nowMillis + every;
      long left = timer.chunks();
      for (Ranked chunk : ranked(files)) {
        if (chunk.pieces() <= left) {
          left -= chunk.pieces();
          chunk.members().forEach(path -> give(path, nowMillis));
        }
      }
    }
  }

  private void give(String path, long nowMillis) {
    OpenedFiles.give(registry, path, Operation.PREFETCH, Temperature.HOT, nowMillis, timer.every());
  }

  /** The hottest first. */
  private List<Ranked> ranked(Collection<FileView> files) {
    Map<String, Double> heats =
        profiles.get().stream()
            .filter(profile -> profile.heat() > 0)
            .collect(Collectors.toMap(Profile::path, Profile::heat, Math::max));
    Map<String, List<FileView>> byChunk = new TreeMap<>();
    for (FileView file : files) {
      String path = file.path();
      if (heats.containsKey(path) && isManaged.test(path) && isBelow(path)) {
        byChunk.computeIfAbsent(chunks.idOf(file), id -> new ArrayList<>()).add(file);
      }
    }
    List<Ranked> ranked = new ArrayList<>();
    byChunk.forEach((id, members) -> ranked.add(ranked(id, members, heats)));
    ranked.sort(Comparator.comparingDouble(Ranked::heat).reversed().thenComparing(Ranked::id));
    return ranked;
  }

  private Ranked ranked(String id, List<FileView> members, Map<String, Double> heats) {
    long bytes = members.stream().mapToLong(FileView::length).sum();
    long pieces = Math.max(1, (bytes + timer.chunk() - 1) / timer.chunk());
    double heat = members.stream().mapToDouble(file -> heats.get(file.path())).sum();
    boolean isWhole = members.get(0).path().equals(id);
    return new Ranked(
        id,
        members.stream().map(FileView::path).sorted().toList(),
        pieces,
        isWhole ? heat : heat / pieces);
  }

  private boolean isBelow(String path) {
    return timer.below().isEmpty() || Paths.isAtOrBelowAny(path, timer.below());
  }
}
