// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What was counted, into groups (PRS, section 3.3): the hot objects by frequency first, then what is in none of these
 * by time. The result depends on the counts and the keys alone. Used once.
 */
final class Grouping {
  private final MiningSettings settings;
  private final ObjectTable objects;
  private final PartnerTable pairs;
  private final boolean[] grouped;
  private final List<ObjectGroup> groups = new ArrayList<>();

  Grouping(MiningSettings settings, ObjectTable objects, PartnerTable pairs) {
    this.settings = settings;
    this.objects = objects;
    this.pairs = pairs;
    grouped = new boolean[objects.size()];
  }

  List<ObjectGroup> groups() {
    int[] byReads = byReads();
    global(hot(byReads));
    local(byReads);
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
    int most = (int) (settings.hotShare() * byReads.length);
    int count = 0;
    while (count < most && objects.reads(byReads[count]) >= settings.leastTogether()) {
      count++;
    }
    return Arrays.copyOf(byReads, count);
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
    add(GroupPattern.GLOBAL, space, order);
  }

  private void local(int[] byReads) {
    Edges edges = new Edges(grouped.length);
    pairs.each(
        (a, b, together) -> {
          if (together >= settings.leastTogether()
              && !grouped[a]
              && !grouped[b]
              && inTime(a, b, together) <= settings.distance()) {
            edges.add(a, b);
          }
        });
    edges.compile();
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
    add(
        GroupPattern.LOCAL,
        space,
        Arrays.stream(byReads).filter(slot -> edges.of(slot).length > 0).toArray());
  }

  private double inTime(int a, int b, int together) {
    return ObjectDistance.inTime(
        together, objects.reads(a) + objects.missed(a), objects.reads(b) + objects.missed(b));
  }

  private void add(GroupPattern pattern, Clustering.Space space, int[] inOrder) {
    for (int[] slots : new Clustering(space, settings, grouped.length).cluster(inOrder)) {
      if (slots.length < 2) {
        continue;
      }
      double distance = 0;
      for (int i = 0; i < slots.length; i++) {
        grouped[slots[i]] = true;
        for (int j = 0; j < i; j++) {
          distance = Math.max(distance, space.distance(slots[i], slots[j]));
        }
      }
      List<GroupedObject> members = Arrays.stream(slots).mapToObj(objects::object).toList();
      groups.add(
          new ObjectGroup(
              pattern, AccessSequence.of(members, settings.smallBytes()), members, distance));
    }
  }
}
