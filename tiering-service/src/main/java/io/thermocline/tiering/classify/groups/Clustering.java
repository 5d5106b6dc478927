// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Algorithm 1 of PRS: object after object into the nearest group, if that is near enough, else into a new one. How far
 * an object is from a group is how far from its farthest member, so that no two of a group are further apart than the
 * threshold. Not thread-safe.
 */
final class Clustering {
  // Where a group gets too large, the paper lowers the threshold by alpha and runs again "on these
  // objects". Taken for all objects, one crowd of equals would lower it to zero for everybody, so
  // here they are those of that group: they are clustered among themselves, each time with a lower
  // threshold, down to zero. What is too large even then are objects without any distance, and is
  // cut by number.

  /** Distances, and who can be near at all. */
  interface Space {
    double distance(int a, int b);

    /** All objects within the threshold of it that were given before it; it may tell others too. */
    int[] near(int object);
  }

  private static final class Group {
    private final int number;
    private int[] members = new int[4];
    private int size;

    private Group(int number) {
      this.number = number;
    }

    private void add(int object) {
      if (size == members.length) {
        members = Arrays.copyOf(members, 2 * size);
      }
      members[size++] = object;
    }
  }

  private final Space space;
  private final MiningSettings settings;
  private final Group[] groupOf;
  private int begun;

  /**
   * @param numbers objects are numbered from 0 to below this
   */
  Clustering(Space space, MiningSettings settings, int numbers) {
    this.space = space;
    this.settings = settings;
    groupOf = new Group[numbers];
  }

  /** Groups of one or more, in the order in which they began. */
  List<int[]> cluster(int[] inOrder) {
    List<Group> groups = new ArrayList<>();
    for (int object : inOrder) {
      List<Group> candidates = new ArrayList<>();
      for (int near : space.near(object)) {
        if (groupOf[near] != null && !candidates.contains(groupOf[near])) {
          candidates.add(groupOf[near]);
        }
      }
      assign(object, candidates, settings.distance(), groups);
    }
    return groups.stream()
        .filter(group -> group.size > 0)
        .map(group -> Arrays.copyOf(group.members, group.size))
        .toList();
  }

  private void assign(int object, List<Group> candidates, double threshold, List<Group> all) {
    Group nearest = null;
    double least = Double.MAX_VALUE;
    for (Group group : candidates) {
      double distance = farthest(object, group);
      if (distance <= threshold
          && (distance < least || distance == least && isBetter(group, nearest))) {
        nearest = group;
        least = distance;
      }
    }
    if (nearest == null) {
      nearest = new Group(begun++);
      all.add(nearest);
    }
    nearest.add(object);
    groupOf[object] = nearest;
    if (nearest.size > settings.objects()) {
      split(nearest, threshold, all);
    }
  }

  /** Of two equally near: the one with room, then the older. */
  private boolean isBetter(Group group, Group than) {
    return isFull(group) == isFull(than) ? group.number < than.number : isFull(than);
  }

  private boolean isFull(Group group) {
    return group.size >= settings.objects();
  }

  private double farthest(int object, Group group) {
    double farthest = 0;
    for (int i = 0; i < group.size; i++) {
      farthest = Math.max(farthest, space.distance(object, group.members[i]));
    }
    return farthest;
  }

  /** "Re = run the clustering algorithm": on the members alone, with a lower threshold. */
  private void split(Group large, double threshold, List<Group> all) {
    int[] members = Arrays.copyOf(large.members, large.size);
    large.size = 0;
    if (threshold <= 0) {
      Group rest = new Group(begun++);
      all.add(rest);
      for (int i = 0; i < members.length; i++) {
        Group group = i < settings.objects() ? large : rest;
        group.add(members[i]);
        groupOf[members[i]] = group;
      }
      return;
    }
    List<Group> parts = new ArrayList<>();
    for (int member : members) {
      assign(member, List.copyOf(parts), Math.max(0, threshold - settings.step()), parts);
    }
    all.addAll(parts);
  }
}
