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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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
   * At the last level pools are filled from the fastest to the slowest, first by pattern, then with whatever is left. A
   * chunk's rank is its weight per byte on the next slower pool: what that pool is spared. By its weight on the pool
   * itself, as the paper says, a pool would get those requests at which it is worst.
   *
   * Ours: what is in a pool counts more there by the library's margin; what belongs in a slower pool stays while nothing
   * else asks for its room; and what a deeper level sent to a slower pool than its intensity alone (level 1) would, to leave
   * room for others, gets the room that these leave.
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
      List<Candidate> chunks = classified(snapshot, level, scale);
      Draft draft = new Draft(snapshot);
      Set<String> tooSmall = byPattern(draft, chunks, level);
      if (tooSmall.isEmpty() || level == classifier.depth()) {
        boolean complete = greedily(draft, chunks, level);
        if (level > 1) {
          intoRoomLeft(draft, chunks, scale, level);
        }
        draft.leaveWhereRoomIs();
        return new PoolAssignment(
            draft.placements(),
            level,
            complete,
            tooSmall,
            draft.uses(),
            scale,
            notes(draft.placements()));
      }
    }
  }

  /** A chunk with its pattern, and where it is now, or "". */
  private record Candidate(Classified classified, String now) {
    List<String> pools() {
      return classified.group().pools();
    }

    ChunkActivity activity() {
      return classified.activity();
    }

    String id() {
      return activity().chunk().id();
    }
  }

  private List<Candidate> classified(PoolSnapshot snapshot, int level, WeightScale scale) {
    List<Candidate> classified = new ArrayList<>();
    for (ChunkActivity activity : snapshot.chunks()) {
      Optional<String> now = snapshot.whereIs(activity.chunk());
      classified.add(
          new Candidate(classifier.classify(activity, level, scale, now), now.orElse("")));
    }
    return classified;
  }

  /** Those chunks first that the next slower pool is best spared; what is there has a margin. */
  private List<Candidate> ranked(Stream<Candidate> chunks, String pool, int level) {
    List<String> pools = classifier.library().pools();
    String spared = pools.get(Math.min(pools.indexOf(pool) + 1, pools.size() - 1));
    record Ranked(Candidate chunk, double rank) {}
    return chunks
        .map(
            one ->
                new Ranked(
                    one,
                    classifier.weightOn(spared, one.activity(), level)
                        * (one.now().equals(pool) ? 1 + classifier.library().stay() : 1)))
        .sorted(
            Comparator.comparingDouble(Ranked::rank)
                .reversed()
                .thenComparing(one -> one.chunk().id()))
        .map(Ranked::chunk)
        .toList();
  }

  /**
   * Steps 6 to 14.
   *
   * @return the pools that were the best for a chunk and couldn't take it
   */
  private Set<String> byPattern(Draft draft, List<Candidate> chunks, int level) {
    Set<String> tooSmall = new LinkedHashSet<>();
    for (String pool : classifier.library().pools()) {
      Stream<Candidate> suited =
          chunks.stream().filter(one -> one.pools().contains(pool) && !draft.has(one));
      for (Candidate one : ranked(suited, pool, level)) {
        boolean best = one.pools().get(0).equals(pool);
        Placement.Cause cause =
            best ? Placement.Cause.FIRST_PRIORITY : Placement.Cause.FURTHER_PRIORITY;
        if (!draft.place(one, pool, cause) && best) {
          tooSmall.add(pool);
        }
      }
    }
    return tooSmall;
  }

  /**
   * Step 20.
   *
   * @return whether nothing was left for it
   */
  private boolean greedily(Draft draft, List<Candidate> chunks, int level) {
    boolean complete = chunks.stream().allMatch(draft::has);
    for (String pool : classifier.library().pools()) {
      Stream<Candidate> left = chunks.stream().filter(one -> !draft.has(one));
      for (Candidate one : ranked(left, pool, level)) {
        draft.place(one, pool, Placement.Cause.GREEDY);
      }
    }
    // Larger ones first: they are hardest to find room for.
    chunks.stream()
        .filter(one -> !draft.has(one))
        .sorted(
            Comparator.comparingLong((Candidate one) -> one.activity().chunk().bytes())
                .reversed()
                .thenComparing(Candidate::id))
        .forEach(draft::placeAnywhere);
    return complete;
  }

  private void intoRoomLeft(Draft draft, List<Candidate> chunks, WeightScale scale, int level) {
    List<String> pools = classifier.library().pools();
    for (String pool : pools.subList(0, pools.size() - 1)) {
      Stream<Candidate> modest =
          chunks.stream()
              .filter(one -> pools.indexOf(draft.poolOf(one)) > pools.indexOf(pool))
              .filter(one -> pools.indexOf(byIntensity(one, scale)) <= pools.indexOf(pool));
      for (Candidate one : ranked(modest, pool, level)) {
        draft.replace(one, pool, Placement.Cause.ROOM_LEFT);
      }
    }
  }

  private String byIntensity(Candidate one, WeightScale scale) {
    return classifier
        .classify(one.activity(), 1, scale, Optional.of(one.now()).filter(now -> !now.isEmpty()))
        .group()
        .pools()
        .get(0);
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

    boolean has(Candidate one) {
      return placed.containsKey(one.id());
    }

    String poolOf(Candidate one) {
      return placed.get(one.id()).pool();
    }

    boolean place(Candidate one, String pool, Placement.Cause cause) {
      if (!status.get(pool).admits(one.activity())) {
        return false;
      }
      put(one, pool, cause);
      return true;
    }

    void replace(Candidate one, String pool, Placement.Cause cause) {
      if (status.get(pool).admits(one.activity())) {
        status.get(poolOf(one)).remove(one.activity());
        put(one, pool, cause);
      }
    }

    void placeAnywhere(Candidate one) {
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

    private void put(Candidate one, String pool, Placement.Cause cause) {
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

    List<PoolAssignment.PoolUse> uses() {
      return status.values().stream().map(PoolStatus::use).toList();
    }

    List<Placement> placements() {
      return List.copyOf(placed.values());
    }
  }
}
