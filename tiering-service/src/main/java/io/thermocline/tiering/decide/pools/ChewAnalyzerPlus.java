// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.Classified;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * ChewAnalyzer++: splits large chunks that are headed for scarce pools, so that only their
 * busy parts go there (algorithm 2), and puts together again what stayed alike (section 3.3.4). Immutable and
 * pure: what it remembers is handed in and out.
 */
public final class ChewAnalyzerPlus {

  /*
   * Algorithm 2 splits what algorithm 1 put in a scarce pool, once, and calls algorithm 1 for the parts. The prose names
   * as candidates all that compete for the resources of fast pools; so a pool is scarce here where it had to turn chunks
   * away, and those count too that it turned away. Splitting goes on until nothing is left to split, and each call has all chunks, so that room which idle
   * parts give back is used by others.
   */
  private final ChewAnalyzer plain;
  private final SplitLimits limits;

  public ChewAnalyzerPlus(ChewAnalyzer plain, SplitLimits limits) {
    this.plain = plain;
    this.limits = limits;
  }

  /**
   * @param assignment of the chunks as they are after splitting
   * @param next to be handed in for the next epoch
   */
  public record Refined(PoolAssignment assignment, Granularity next) {}

  /**
   * @param snapshot whole chunks only
   * @param before what the epoch before handed out, or {@link Granularity#WHOLE}
   */
  public Refined place(PoolSnapshot snapshot, ChunkParts parts, Granularity before) {
    Map<String, List<ChunkActivity>> split = new LinkedHashMap<>();
    List<ChunkActivity> leaves = new ArrayList<>();
    for (ChunkActivity whole : snapshot.chunks()) {
      expand(whole, parts, before, split, leaves);
    }
    Map<String, String> unsplittable = new LinkedHashMap<>();
    while (true) {
      PoolAssignment assignment = plain.place(snapshot.withChunks(leaves));
      List<ChunkActivity> finer = new ArrayList<>();
      for (Placement one : assignment.placements()) {
        ChunkActivity chunk = one.classified().activity();
        List<ChunkActivity> found =
            isCandidate(one, assignment.tooSmall(), before)
                ? partsOf(chunk, parts, unsplittable)
                : List.<ChunkActivity>of();
        if (found.isEmpty()) {
          finer.add(chunk);
        } else {
          split.put(chunk.chunk().id(), found);
          finer.addAll(found);
        }
      }
      if (finer.size() == leaves.size()) {
        return new Refined(noted(assignment, unsplittable), next(assignment, split, before));
      }
      leaves = finer;
    }
  }

  private void expand(
      ChunkActivity chunk,
      ChunkParts parts,
      Granularity before,
      Map<String, List<ChunkActivity>> split,
      List<ChunkActivity> leaves) {
    List<ChunkActivity> found =
        before.split().containsKey(chunk.chunk().id())
            ? partsOf(chunk, parts, new HashMap<>())
            : List.<ChunkActivity>of();
    if (found.isEmpty()) {
      leaves.add(chunk);
      return;
    }
    split.put(chunk.chunk().id(), found);
    found.forEach(part -> expand(part, parts, before, split, leaves));
  }

  private List<ChunkActivity> partsOf(
      ChunkActivity chunk, ChunkParts parts, Map<String, String> unsplittable) {
    ChunkParts.Split split = parts.split(chunk, limits.leastBytes(), limits.parts());
    if (split.parts().isEmpty()) {
      unsplittable.put(chunk.chunk().id(), split.why());
    }
    long sum = 0;
    for (ChunkActivity part : split.parts()) {
      sum += part.chunk().bytes();
      if (part.chunk().bytes() < limits.leastBytes()
          || !part.chunk().whole().equals(chunk.chunk().id())) {
        throw new IllegalArgumentException(
            part.chunk()
                + " is no part of "
                + chunk.chunk()
                + " of at least "
                + limits.leastBytes());
      }
    }
    if (!split.parts().isEmpty() && sum != chunk.chunk().bytes()) {
      throw new IllegalArgumentException(
          "the parts of " + chunk.chunk() + " have " + sum + " bytes together");
    }
    return split.parts();
  }

  private boolean isCandidate(Placement one, Set<String> tooSmall, Granularity before) {
    Classified classified = one.classified();
    boolean scarce =
        tooSmall.contains(one.pool()) || tooSmall.contains(classified.group().pools().get(0));
    String id = classified.activity().chunk().id();
    return scarce
        && classified.activity().chunk().bytes() > limits.leastBytes()
        && classified.activity().accesses().requests() > 0
        && !classified.group().name().equals(before.merged().get(id));
  }

  private Granularity next(
      PoolAssignment assignment, Map<String, List<ChunkActivity>> split, Granularity before) {
    Map<String, Placement> placed = new HashMap<>();
    for (Placement one : assignment.placements()) {
      placed.put(one.classified().activity().chunk().id(), one);
    }
    Map<String, Integer> stillSplit = new HashMap<>();
    Map<String, String> merged = new HashMap<>();
    split.forEach(
        (whole, parts) -> {
          Placement first = placed.get(parts.get(0).chunk().id());
          boolean alike =
              parts.stream().allMatch(part -> isAlike(first, placed.get(part.chunk().id())));
          int epochs = alike ? before.split().getOrDefault(whole, 0) + 1 : 0;
          if (epochs >= limits.mergeAfter()) {
            merged.put(whole, first.classified().group().name());
          } else {
            stillSplit.put(whole, epochs);
          }
        });
    // What was merged before and is whole still, with the same pattern, stays known.
    before
        .merged()
        .forEach(
            (id, pattern) -> {
              Placement one = placed.get(id);
              if (one != null && one.classified().group().name().equals(pattern)) {
                merged.putIfAbsent(id, pattern);
              }
            });
    return new Granularity(stillSplit, merged);
  }

  private static boolean isAlike(Placement one, Placement other) {
    return one != null
        && other != null
        && one.pool().equals(other.pool())
        && one.classified().group().equals(other.classified().group());
  }

  private static PoolAssignment noted(PoolAssignment assignment, Map<String, String> unsplittable) {
    List<String> notes = new ArrayList<>(assignment.notes());
    for (String why : new TreeSet<>(unsplittable.values())) {
      long chunks = unsplittable.values().stream().filter(why::equals).count();
      notes.add(chunks + " chunks were not split: " + why);
    }
    return assignment.withNotes(notes);
  }
}
