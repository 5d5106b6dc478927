// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.Classified;
import io.thermocline.tiering.classify.Dimension;
import io.thermocline.tiering.classify.HierarchicalClassifier;
import io.thermocline.tiering.classify.WeightScale;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Places chunks in pools by their patterns: algorithm 1 of ChewAnalyzer. Any pool from any pool, not tier by tier.
 * Immutable and pure: the same snapshot gives the same assignment.
 */
public final class ChewAnalyzer {

  /*
   * A level is valid if all chunks fit in the pool that suits their pattern best (equation 3.5: "if and only if the
   * required resources of all the chunks have met"); otherwise the next level is asked, which tells more patterns apart.
   * The listing would keep what a level placed before it met the first chunk that doesn't fit, and so make the result
   * depend on the order of chunks; here a level counts whole or not at all, as the prose has it.
   *
   * At the last level chunks get the pools of their pattern, the heaviest per byte first, and what is left goes
   * greedily from the fastest pool to the slowest. There a chunk's rank is its weight on the next slower pool: what that
   * pool is spared. The weight on the pool itself, as the paper says, would give a pool those requests at which it is
   * worst.
   *
   * Ours: what is in a pool counts more there by the library's margin, and what belongs in a slower pool stays while
   * nothing else asks for its room.
   */
  private final HierarchicalClassifier classifier;

  public ChewAnalyzer(HierarchicalClassifier classifier) {
    this.classifier = classifier;
  }

  /**
   * @param snapshot its pools are those of the library, in the same order
   * @throws IllegalArgumentException where pools are other than the library's, or don't hold all chunks
   */
  public PoolAssignment place(PoolSnapshot snapshot) {
    check(snapshot);
    WeightScale scale = WeightScale.of(classifier, snapshot.chunks(), space(snapshot));
    for (int level = 1; ; level++) {
      boolean last = level == classifier.depth();
      Draft draft = new Draft(snapshot);
      List<Ranked> rest = new ArrayList<>();
      for (Ranked one : ranked(snapshot, level, scale)) {
        if (!draft.placeByPattern(one) || one.best() != draft.poolOf(one)) {
          rest.add(one);
        }
      }
      if (rest.isEmpty() || last) {
        List<Ranked> unplaced = rest.stream().filter(one -> draft.poolOf(one) == null).toList();
        greedily(draft, unplaced, level);
        draft.leaveWhereRoomIs();
        return new PoolAssignment(
            draft.placements(), level, unplaced.isEmpty(), notes(draft.placements()));
      }
    }
  }

  /** A chunk with its rank: its weight, and a margin where it is already. */
  private record Ranked(Classified classified, String now, double rank) {
    String best() {
      return classified.group().pools().get(0);
    }

    ChunkActivity activity() {
      return classified.activity();
    }

    String id() {
      return activity().chunk().id();
    }
  }

  private static final Comparator<Ranked> HEAVIEST_FIRST =
      Comparator.comparingDouble(Ranked::rank).reversed().thenComparing(Ranked::id);

  private List<Ranked> ranked(PoolSnapshot snapshot, int level, WeightScale scale) {
    List<Ranked> ranked = new ArrayList<>();
    for (ChunkActivity activity : snapshot.chunks()) {
      Optional<String> now = snapshot.whereIs(activity.chunk());
      Classified classified = classifier.classify(activity, level, scale, now);
      double margin = now.equals(Optional.of(classified.group().pools().get(0))) ? margin() : 1;
      ranked.add(new Ranked(classified, now.orElse(""), margin * classified.weight()));
    }
    ranked.sort(HEAVIEST_FIRST);
    return ranked;
  }

  private double margin() {
    return 1 + classifier.library().stay();
  }

  /** Step 20: from the fastest pool to the slowest, those chunks first that the next slower is best spared. */
  private void greedily(Draft draft, List<Ranked> unplaced, int level) {
    List<String> pools = classifier.library().pools();
    List<Ranked> left = new ArrayList<>(unplaced);
    for (int i = 0; i < pools.size(); i++) {
      String pool = pools.get(i);
      String spared = pools.get(Math.min(i + 1, pools.size() - 1));
      left.replaceAll(
          one ->
              new Ranked(
                  one.classified(),
                  one.now(),
                  classifier.weightOn(spared, one.activity(), level)
                      * (one.now().equals(pool) ? margin() : 1)));
      left.sort(HEAVIEST_FIRST);
      left.removeIf(one -> draft.place(one, pool, Placement.Cause.GREEDY));
    }
    // Larger ones first: they are hardest to find room for.
    left.sort(
        Comparator.comparingLong((Ranked one) -> one.activity().chunk().bytes())
            .reversed()
            .thenComparing(Ranked::id));
    left.forEach(draft::placeAnywhere);
  }

  private static Map<String, Long> space(PoolSnapshot snapshot) {
    Map<String, Long> space = new LinkedHashMap<>();
    snapshot.pools().forEach(pool -> space.put(pool.name(), pool.bytes()));
    return space;
  }

  private void check(PoolSnapshot snapshot) {
    List<String> names = snapshot.pools().stream().map(Pool::name).toList();
    if (!names.equals(classifier.library().pools())) {
      throw new IllegalArgumentException(
          "pools " + names + ", but the library has weights of " + classifier.library().pools());
    }
    snapshot
        .now()
        .forEach(
            (chunk, pool) -> {
              if (!names.contains(pool)) {
                throw new IllegalArgumentException(
                    "chunk " + chunk + " is in pool '" + pool + "', which is none of " + names);
              }
            });
  }

  private static List<String> notes(List<Placement> placements) {
    List<String> notes = new ArrayList<>();
    Set<Dimension> skipped = EnumSet.noneOf(Dimension.class);
    boolean noRandomWrites = false;
    for (Placement one : placements) {
      skipped.addAll(one.classified().skipped());
      noRandomWrites |= !one.classified().activity().source().hasRandomWrites();
    }
    for (Dimension dimension : skipped) {
      long chunks =
          placements.stream().filter(one -> one.classified().skipped().contains(dimension)).count();
      notes.add(
          dimension + " was left out for " + chunks + " chunks: their source doesn't tell it");
    }
    if (noRandomWrites) {
      notes.add(
          "the branch of random writes was skipped: HDFS has none; overwritten means made anew,"
              + " truncated or appended to");
    }
    return notes;
  }

  /** Which chunk is where while it is being decided. */
  private static final class Draft {
    private final Map<String, PoolStatus> status = new LinkedHashMap<>();
    private final Map<String, Placement> placed = new LinkedHashMap<>();
    private final List<String> slowestFirst = new ArrayList<>();

    Draft(PoolSnapshot snapshot) {
      for (Pool pool : snapshot.pools()) {
        status.put(pool.name(), new PoolStatus(pool));
        slowestFirst.add(0, pool.name());
      }
    }

    String poolOf(Ranked one) {
      Placement placement = placed.get(one.id());
      return placement == null ? null : placement.pool();
    }

    boolean placeByPattern(Ranked one) {
      Placement.Cause cause = Placement.Cause.FIRST_PRIORITY;
      for (String pool : one.classified().group().pools()) {
        if (place(one, pool, cause)) {
          return true;
        }
        cause = Placement.Cause.FURTHER_PRIORITY;
      }
      return false;
    }

    boolean place(Ranked one, String pool, Placement.Cause cause) {
      if (!status.get(pool).admits(one.activity())) {
        return false;
      }
      put(one, pool, cause);
      return true;
    }

    void placeAnywhere(Ranked one) {
      for (String pool : slowestFirst) {
        if (status.get(pool).hasSpace(one.activity())) {
          put(one, pool, Placement.Cause.LAST_RESORT);
          return;
        }
      }
      throw new IllegalArgumentException(
          "no pool has room for chunk %s of %d bytes; free bytes: %s; give the slowest pool room for all"
              .formatted(
                  one.id(),
                  one.activity().chunk().bytes(),
                  status.entrySet().stream()
                      .map(entry -> entry.getKey() + " " + entry.getValue().free())
                      .toList()));
    }

    private void put(Ranked one, String pool, Placement.Cause cause) {
      status.get(pool).add(one.activity());
      placed.put(one.id(), new Placement(one.classified(), pool, one.now(), cause));
    }

    /** What would move to a slower pool, though its place is still free, isn't moved: heaviest first. */
    void leaveWhereRoomIs() {
      List<Placement> down =
          placed.values().stream()
              .filter(one -> one.isMove() && isSlower(one.pool(), one.from()))
              .sorted(
                  Comparator.comparingDouble((Placement one) -> one.classified().weight())
                      .reversed()
                      .thenComparing(one -> one.classified().activity().chunk().id()))
              .toList();
      for (Placement one : down) {
        ChunkActivity activity = one.classified().activity();
        if (status.get(one.from()).admits(activity)) {
          status.get(one.pool()).remove(activity);
          status.get(one.from()).add(activity);
          placed.put(
              activity.chunk().id(),
              new Placement(one.classified(), one.from(), one.from(), Placement.Cause.STAYS));
        }
      }
    }

    private boolean isSlower(String one, String than) {
      return slowestFirst.indexOf(one) < slowestFirst.indexOf(than);
    }

    List<Placement> placements() {
      return List.copyOf(placed.values());
    }
  }
}
