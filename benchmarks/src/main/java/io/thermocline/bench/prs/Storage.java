// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.placement.PlacementBenchmark.Algorithm;
import io.thermocline.bench.placement.ReplicaPlacer;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.plan.GroupPlacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The storage nodes of PRS's evaluation (section 4), each with one device: disks first, then
 * SSDs; and where copies of objects and groups are on them.
 */
final class Storage {
  /** Sheepdog's. */
  static final long OBJECT_BYTES = 4 << 20;

  /** Of the virtual disk of 128 GB, of which a tenth are hot. */
  static final int STORED_OBJECTS = (int) ((128L << 30) / OBJECT_BYTES);

  private static final long GB = 1_000_000_000L;

  private final Scheme scheme;
  private final int disks;
  private final int nodes;
  private final int[][] copies;
  private final List<Map<Integer, Long>> objectPlaces = new ArrayList<>();
  private final List<Map<Integer, Long>> groupPlaces = new ArrayList<>();
  private final int[] groupOf;
  private final long[] used;
  private final List<int[]> groupNodes = new ArrayList<>();
  private final List<int[]> groupObjects = new ArrayList<>();

  Storage(
      Scheme scheme,
      int disks,
      int ssds,
      int objects,
      List<ObjectGroup> groups,
      boolean[] hot,
      long seed) {
    this.scheme = scheme;
    this.disks = disks;
    this.nodes = disks + ssds;
    this.used = new long[nodes];
    double[] equal = new double[nodes];
    Arrays.fill(equal, 1);
    ReplicaPlacer placer = (scheme == Scheme.STRAW ? Algorithm.STRAW2 : Algorithm.RING).on(equal);
    copies = new int[objects][scheme.copies()];
    for (int object = 0; object < objects; object++) {
      placer.place(key(seed, object), copies[object]);
    }
    third(hot, seed);
    lay(Arrays.asList(copies), object -> 1, objectPlaces);
    groupOf = IntStream.range(0, objects).map(object -> -1).toArray();
    if (scheme.isGrouped()) {
      place(groups, placer, seed);
      lay(groupNodes, group -> groupObjects.get(group).length, groupPlaces);
    }
  }

  /** One after the other on each node, after what is there. */
  private void lay(
      List<int[]> nodesOfEach, IntUnaryOperator objects, List<Map<Integer, Long>> places) {
    for (int i = 0; i < nodesOfEach.size(); i++) {
      Map<Integer, Long> place = new HashMap<>();
      for (int node : nodesOfEach.get(i)) {
        place.put(node, used[node]);
        used[node] += objects.applyAsInt(i) * OBJECT_BYTES;
      }
      places.add(place);
    }
  }

  private static long key(long seed, long number) {
    return seed << 40 | number;
  }

  /** The copies that simpler schemes direct. */
  private void third(boolean[] hot, long seed) {
    boolean byHeat = scheme == Scheme.FREQUENCY || scheme == Scheme.SEQUENCE_FREQUENCY;
    boolean byFile = scheme == Scheme.SEQUENCE || scheme == Scheme.SEQUENCE_FREQUENCY;
    int ssds = nodes - disks;
    for (int object = 0; object < copies.length; object++) {
      int file = object / Load.FILE_OBJECTS;
      if (byHeat && hot[object]) {
        copies[object] = new int[] {disks + object % ssds};
      } else if (byFile) {
        copies[object] = new int[] {new SplittableRandom(key(seed, file)).nextInt(nodes)};
      }
    }
  }

  private void place(List<ObjectGroup> groups, ReplicaPlacer placer, long seed) {
    GroupPlacement placement = GroupPlacement.of(devices(), 0.1);
    for (ObjectGroup group : groups) {
      int id = groupNodes.size();
      int[] members =
          group.members().stream().map(GroupedObject::key).mapToInt(Long::intValue).toArray();
      int[] at = new int[scheme.groupCopies()];
      if (scheme == Scheme.GROUPS) {
        placer.place(key(seed, 1L << 32 | id), at);
      } else {
        at =
            placement
                .place(
                    key(seed, id),
                    group.pattern(),
                    GroupPlacement.suiting(group.pattern(), group.sequence()),
                    members.length * OBJECT_BYTES,
                    scheme.groupCopies())
                .stream()
                .mapToInt(device -> Integer.parseInt(device.id()))
                .toArray();
      }
      if (at.length > 0) {
        for (int member : members) {
          groupOf[member] = id;
          copies[member] = Arrays.copyOf(copies[member], scheme.copiesOfGrouped());
        }
        groupNodes.add(at);
        groupObjects.add(members);
      }
    }
  }

  private List<GroupPlacement.Device> devices() {
    return IntStream.range(0, nodes)
        .mapToObj(
            node -> {
              boolean ssd = node >= disks;
              long capacity = (ssd ? 200 : 500) * GB;
              return new GroupPlacement.Device(
                  "" + node,
                  "" + node,
                  ssd ? StorageType.SSD : StorageType.DISK,
                  (long) (ssd ? Flash.BYTES_PER_SECOND : Disk.BYTES_PER_SECOND),
                  capacity,
                  capacity);
            })
        .toList();
  }

  int nodes() {
    return nodes;
  }

  boolean isSsd(int node) {
    return node >= disks;
  }

  /** Whether devices take no time. */
  boolean isInMemory() {
    return scheme == Scheme.MEMORY;
  }

  /**
   * Whether readers of a group take what is soonest: where the layout put it with that in mind.
   */
  boolean isLaidOut() {
    return scheme.isLaidOut();
  }

  /** Group of an object, or -1. */
  int group(int object) {
    return groupOf[object];
  }

  int groups() {
    return groupNodes.size();
  }

  int[] nodesOf(int group) {
    return groupNodes.get(group);
  }

  int[] objectsOf(int group) {
    return groupObjects.get(group);
  }

  /** Where copies of the object itself are that are read and written. */
  int[] copies(int object) {
    return copies[object];
  }

  /** Where an object begins on a node that has a copy. */
  long place(int object, int node) {
    return objectPlaces.get(object).get(node);
  }

  /** Where a group begins on a node that has a copy. */
  long placeOf(int group, int node) {
    return groupPlaces.get(group).get(node);
  }
}
