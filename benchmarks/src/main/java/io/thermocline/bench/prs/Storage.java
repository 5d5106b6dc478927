// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.placement.PlacementBenchmark.Algorithm;
import io.thermocline.bench.placement.ReplicaPlacer;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.plan.GroupPlacement;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The storage nodes of PRS's evaluation (section 4), each with one device: disks first, then SSDs; and where copies
 * of objects and groups are on them.
 */
final class Storage {
  /** Sheepdog's. */
  static final long OBJECT_BYTES = 4 << 20;

  /** Of the virtual disk of 128 GB, of which a tenth are hot. */
  static final int STORED_OBJECTS = (int) ((128L << 30) / OBJECT_BYTES);

  /** Section 4; seeks as in SUORA's table 1, SSDs as in its evaluation. */
  static final DeviceSpec DISK = new DeviceSpec(160e6, 160e6, 0, 0, 5e-3, 0);

  static final DeviceSpec SSD = new DeviceSpec(380e6, 380e6, 100e-6, 100e-6, 0, 0);

  private static final int COPIES = 3;
  private static final long GB = 1_000_000_000L;

  private final Scheme scheme;
  private final int disks;
  private final int nodes;
  private final int[][] copies;
  private final int[] groupOf;
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
    double[] equal = new double[nodes];
    Arrays.fill(equal, 1);
    ReplicaPlacer placer = (scheme == Scheme.STRAW ? Algorithm.STRAW2 : Algorithm.RING).on(equal);
    copies = new int[objects][scheme == Scheme.ONE ? 1 : COPIES];
    for (int object = 0; object < objects; object++) {
      placer.place(key(seed, object), copies[object]);
    }
    third(hot, seed);
    groupOf = IntStream.range(0, objects).map(object -> -1).toArray();
    if (scheme.isGrouped()) {
      place(groups, placer, seed);
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
      int[] at = new int[COPIES];
      if (scheme == Scheme.GROUPS) {
        placer.place(key(seed, 1L << 32 | id), at);
      } else {
        at =
            placement
                .place(
                    key(seed, id),
                    GroupPlacement.suiting(group.pattern(), group.sequence()),
                    members.length * OBJECT_BYTES,
                    COPIES)
                .stream()
                .mapToInt(device -> Integer.parseInt(device.id()))
                .toArray();
      }
      if (at.length > 0) {
        for (int member : members) {
          groupOf[member] = id;
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
                  (long) device(node).readBytesPerSecond(),
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

  DeviceSpec device(int node) {
    return isSsd(node) ? SSD : DISK;
  }

  /** Whether readers of a group prefer its fastest copy: where the layout put it with that in mind. */
  boolean readsFastest() {
    return scheme == Scheme.PRS;
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
}
