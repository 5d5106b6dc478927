// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What was counted, into groups (PRS, section 3.3): by time first, then the hot objects that are in none of these by
 * frequency. The result depends on the counts and the keys alone. Used once.
 */
final class Grouping {
  // The paper groups hot objects first. Among thousands of readers many hot objects are read
  // equally often by chance, and the hottest sets would be taken apart for it.

  /** Of the reads of a set, those with what it has in common with others. */
  private static final double LEAST_OF_SET = 0.7;

  /** Of the reads of what several sets have in common, those with the set that it is grouped with. */
  private static final double LEAST_SHARE = 0.25;

  private final MiningSettings settings;
  private final ObjectTable objects;
  private final PartnerTable pairs;
  private final Chance chance;
  private final boolean[] grouped;
  private final List<ObjectGroup> groups = new ArrayList<>();

  Grouping(MiningSettings settings, ObjectTable objects, PartnerTable pairs, Chance chance) {
    this.settings = settings;
    this.objects = objects;
    this.pairs = pairs;
    this.chance = chance;
    grouped = new boolean[objects.size()];
  }

  List<ObjectGroup> groups() {
    int[] byReads = byReads();
    local(byReads);
    global(hot(byReads));
    return groups;
  }

  /** Slots, the most read first, then by key. */
  private int[] byReads() {
    long[] order = IntStream.range(0, objects.size()).mapToLong(objects::key).sorted().toArray();
    int[] byKey = Arrays.stream(order).mapToInt(objects::find).toArray();
    for (int rank = 0; rank < order.length; rank++) {
      order[rank] = (long) (Integer.MAX_VALUE - objects.reads(byKey[rank])) << 32 | rank;
    }
    Arrays.sort(order);
    return Arrays.stream(order).mapToInt(value -> byKey[(int) value]).toArray();
  }

  /** As large a share of the objects as fast devices have of the capacity (section 3.2.1). */
  private int[] hot(int[] byReads) {
    return Arrays.stream(byReads)
        .limit((long) (settings.hotShare() * byReads.length))
        .filter(slot -> !grouped[slot] && objects.reads(slot) >= settings.leastTogether())
        .toArray();
  }

  private long period(int slot) {
    long length = settings.period().toMillis();
    return length == 0 ? 0 : Math.floorDiv(objects.lastMillis(slot), length);
  }

  private void global(int[] hot) {
    int[] order =
        Arrays.stream(hot)
            .boxed()
            .sorted(Comparator.comparingLong(this::period))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] position = new int[objects.size()];
    for (int i = 0; i < order.length; i++) {
      position[order[i]] = i;
    }
    Clustering.Space space =
        new Clustering.Space() {
          @Override
          public double distance(int a, int b) {
            return period(a) == period(b)
                ? ObjectDistance.inFrequency(objects.reads(a), objects.reads(b))
                : 1;
          }

          @Override
          public int[] near(int object) {
            // In this order the nearest group is one of the last members'.
            int at = position[object];
            return Arrays.copyOfRange(order, Math.max(0, at - settings.objects()), at);
          }
        };
    add(GroupPattern.GLOBAL, space, new Clustering(space, settings, grouped.length).cluster(order));
  }

  private void local(int[] byReads) {
    Edges edges = new Edges(grouped.length);
    Edges common = new Edges(grouped.length);
    pairs.each(
        (a, b, together) -> {
          boolean isNear = inTime(a, b, together) <= settings.distance();
          if (together >= settings.leastTogether()
              && (isNear || isCommon(a, b, together))
              && chance.excluded(together, pairs.reads(a, b), expected(a, b))) {
            (isNear ? edges : common).add(a, b);
          }
        });
    edges.compile();
    common.compile();
    Clustering.Space space =
        new Clustering.Space() {
          @Override
          public double distance(int a, int b) {
            return inTime(a, b, pairs.together(a, b));
          }

          @Override
          public int[] near(int object) {
            return edges.of(object);
          }
        };
    int[] inOrder =
        Arrays.stream(byReads)
            .filter(slot -> edges.of(slot).length > 0 || common.of(slot).length > 0)
            .toArray();
    List<int[]> sets =
        new ArrayList<>(new Clustering(space, settings, grouped.length).cluster(inOrder));
    join(sets, edges, common);
    add(GroupPattern.LOCAL, space, sets);
  }

  /** Whether one of them is read with nearly all reads of the other, and often enough also without it. */
  private boolean isCommon(int a, int b, int together) {
    return together >= LEAST_OF_SET * pairs.fewerReads(a, b)
        && together >= LEAST_SHARE * pairs.reads(a, b);
  }

  /**
   * What several sets have in common is put to the one with which it is read most, where there is room. The paper has
   * no such objects: by equation 1 they are far from each of the sets.
   */
  private void join(List<int[]> sets, Edges near, Edges common) {
    int[] setOf = new int[grouped.length];
    for (int set = 0; set < sets.size(); set++) {
      for (int slot : sets.get(set)) {
        setOf[slot] = set;
      }
    }
    for (int set = 0; set < sets.size(); set++) {
      int[] shared = sets.get(set);
      Map<Integer, Integer> pairsWith = new TreeMap<>();
      for (int slot : shared) {
        for (int other : near.of(slot)) {
          pairsWith.merge(setOf[other], 1, Integer::sum);
        }
        for (int other : common.of(slot)) {
          if (objects.reads(other) <= objects.reads(slot)) {
            pairsWith.merge(setOf[other], 1, Integer::sum);
          }
        }
      }
      int best = -1;
      int most = 0;
      for (Map.Entry<Integer, Integer> each : pairsWith.entrySet()) {
        int[] with = sets.get(each.getKey());
        boolean isWhole =
            each.getKey() != set
                && with.length > 1
                && with.length + shared.length <= settings.objects()
                && each.getValue() == shared.length * with.length;
        int together = isWhole ? pairs.together(shared[0], with[0]) : 0;
        if (together > most) {
          best = each.getKey();
          most = together;
        }
      }
      if (best >= 0) {
        int[] with = sets.get(best);
        int[] joined = Arrays.copyOf(with, with.length + shared.length);
        System.arraycopy(shared, 0, joined, with.length, shared.length);
        sets.set(best, joined);
        sets.set(set, new int[0]);
        for (int slot : shared) {
          setOf[slot] = best;
        }
      }
    }
  }

  /** Groups of these, by whether they are together so far. */
  List<ObjectGroup> among(int[] slots) {
    List<Integer> left =
        new ArrayList<>(
            Arrays.stream(slots)
                .boxed()
                .sorted(
                    Comparator.<Integer>comparingInt(slot -> -objects.reads(slot))
                        .thenComparingLong(objects::key))
                .toList());
    List<ObjectGroup> found = new ArrayList<>();
    while (!left.isEmpty()) {
      List<Integer> near = new ArrayList<>();
      for (int slot : left) {
        if (near.size() < settings.objects()
            && near.stream()
                .allMatch(
                    other ->
                        inTime(slot, other, pairs.together(slot, other)) <= settings.distance())) {
          near.add(slot);
        }
      }
      left.removeAll(near);
      if (near.size() > 1) {
        found.add(
            group(
                GroupPattern.LOCAL,
                (a, b) -> inTime(a, b, pairs.together(a, b)),
                near.stream().mapToInt(Integer::intValue).toArray()));
      }
    }
    return found;
  }

  private double inTime(int a, int b, int together) {
    int reads = pairs.reads(a, b);
    return ObjectDistance.inTime(together, reads, reads);
  }

  /** Times together by chance in the reads that the pair's count is of. */
  private double expected(int a, int b) {
    double share =
        Math.max(
            chance.expected(objects.met(a), objects.reads(a), objects.reads(b)) / objects.reads(a),
            chance.expected(objects.met(b), objects.reads(b), objects.reads(a)) / objects.reads(b));
    return share * pairs.reads(a, b);
  }

  private void add(GroupPattern pattern, Clustering.Space space, List<int[]> sets) {
    for (int[] slots : sets) {
      if (slots.length > 1) {
        groups.add(group(pattern, space::distance, slots));
      }
    }
  }

  private interface Distance {
    double of(int a, int b);
  }

  private ObjectGroup group(GroupPattern pattern, Distance between, int[] slots) {
    double distance = 0;
    int together = Integer.MAX_VALUE;
    double expected = 0;
    long readers = 0;
    for (int i = 0; i < slots.length; i++) {
      grouped[slots[i]] = true;
      readers |= objects.readers(slots[i]);
      for (int j = 0; j < i; j++) {
        distance = Math.max(distance, between.of(slots[i], slots[j]));
        together = Math.min(together, pairs.together(slots[i], slots[j]));
        expected = Math.max(expected, expected(slots[i], slots[j]));
      }
    }
    List<GroupedObject> members = Arrays.stream(slots).mapToObj(objects::object).toList();
    return new ObjectGroup(
        pattern,
        AccessSequence.of(members, settings.smallBytes()),
        members,
        distance,
        new ObjectGroup.Evidence(together, expected, ObjectTable.count(readers)));
  }
}
