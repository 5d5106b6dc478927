// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.NumberLine;
import io.thermocline.placement.suora.RandomSequence;
import io.thermocline.placement.suora.SegmentTable;
import io.thermocline.tiering.classify.groups.AccessSequence;
import io.thermocline.tiering.classify.groups.GroupPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * On which devices the replicas of a group lie: in proportion to bandwidth, on a number line of segments of bandwidth / p,
 * where there is more than a threshold of the capacity left, and on the kind of device that suits how the group is
 * read. Immutable but for the room, which each placement takes.
 *
 * <p>Source: PRS, section 3.4.2 and algorithm 2.
 */
public final class GroupPlacement {

  /** Algorithm 2 draws until a segment fits; where none does, it would for ever. */
  private static final int DRAWS_PER_DEVICE = 64;

  /** Of a group's numbers, apart from those of blocks' homes. */
  private static final long SEED = 0x505253;

  /**
   * One storage of a node.
   *
   * @param node no two replicas of a group are on one
   * @param bandwidth bytes a second, on average
   * @param capacity in bytes
   * @param remaining in bytes
   */
  public record Device(
      String id, String node, StorageType type, long bandwidth, long capacity, long remaining) {}

  private final Map<String, Device> devices = new HashMap<>();
  private final Map<String, Long> taken = new HashMap<>();

  /** By device, bytes of groups that lie there already: room that is taken, and reads that it serves. */
  private final Map<String, Long> lying = new HashMap<>();

  private final NumberLine line;
  private final double threshold;

  /**
   * @param devices in the order of their segments
   * @param p bytes a second that are one unit long; above 0
   * @param threshold share of a device's capacity that stays free: 0.1 in the paper
   */
  public GroupPlacement(List<Device> devices, long p, double threshold) {
    List<io.thermocline.placement.suora.Device> lengths = new ArrayList<>();
    for (Device device : devices) {
      this.devices.put(device.id(), device);
      lengths.add(io.thermocline.placement.suora.Device.of(device.id(), device.bandwidth()));
    }
    this.line = SegmentTable.assign(lengths, p).numberLine();
    this.threshold = threshold;
  }

  /** With the smallest bandwidth as p. */
  public static GroupPlacement of(List<Device> devices, double threshold) {
    long smallest =
        devices.stream().map(Device::bandwidth).min(Comparator.naturalOrder()).orElse(1L);
    return new GroupPlacement(devices, smallest, threshold);
  }

  /**
   * The kinds of device that suit a group: what is read in small pieces at random goes to SSD or better, what is read
   * together in large ones to disks, anything else anywhere (section 3.4.2). What nobody knows is anything else.
   */
  public static Predicate<StorageType> suiting(GroupPattern pattern, AccessSequence sequence) {
    return switch (sequence) {
      case RANDOM_SMALL -> StorageType::isFast;
      case LARGE, SEQUENTIAL ->
          pattern == GroupPattern.LOCAL ? type -> !type.isFast() : type -> true;
      case UNKNOWN -> type -> true;
    };
  }

  /** Bytes of a group that was placed before; its room is taken already. */
  public void lies(String device, long bytes) {
    lying.merge(device, bytes, Long::sum);
  }

  /**
   * Where so many replicas of a group go; takes the room. The first of a hot one goes to a fast
   * device where one has room: they "have higher priority to be placed on the SSD nodes" (section
   * 4.1), however they are read, and algorithm 2 alone would leave some without. Of two that are
   * drawn it is the one that fewer bytes went to by its bandwidth, so that a few fast devices, which
   * serve most reads, serve as much each (Mitzenmacher, The power of two choices, 2001).
   *
   * @param id of the group; the same gives the same devices as long as what was placed before is
   *     the same
   * @param bytes of one replica
   * @return devices on different nodes; fewer where no more have room
   */
  public List<Device> place(
      long id, GroupPattern pattern, Predicate<StorageType> suiting, long bytes, int replicas) {
    List<Device> placed = new ArrayList<>();
    if (pattern == GroupPattern.GLOBAL && replicas > 0) {
      draw(RandomSequence.of(id, SEED), suiting.and(StorageType::isFast), bytes, 2, List.of())
          .stream()
          .min(Comparator.comparingDouble(this::takenByBandwidth))
          .ifPresent(placed::add);
    }
    placed.addAll(draw(RandomSequence.of(id, SEED), suiting, bytes, replicas, placed));
    return taken(placed, bytes);
  }

  /** The same with no wish for the first. */
  public List<Device> place(long id, Predicate<StorageType> suiting, long bytes, int replicas) {
    return place(RandomSequence.of(id, SEED), suiting, bytes, replicas);
  }

  List<Device> place(
      RandomSequence sequence, Predicate<StorageType> suiting, long bytes, int replicas) {
    return taken(draw(sequence, suiting, bytes, replicas, List.of()), bytes);
  }

  private List<Device> taken(List<Device> placed, long bytes) {
    placed.forEach(device -> taken.merge(device.id(), bytes, Long::sum));
    return placed;
  }

  private double takenByBandwidth(Device device) {
    long bytes = taken.getOrDefault(device.id(), 0L) + lying.getOrDefault(device.id(), 0L);
    return bytes / (double) device.bandwidth();
  }

  /** What is to come to those before, so that there are so many in all. */
  private List<Device> draw(
      RandomSequence sequence,
      Predicate<StorageType> suiting,
      long bytes,
      int replicas,
      List<Device> before) {
    List<Device> drawn = new ArrayList<>();
    Set<String> nodes = new HashSet<>();
    before.forEach(device -> nodes.add(device.node()));
    while (before.size() + drawn.size() < replicas) {
      int index =
          line.place(
              sequence,
              candidate -> {
                Device device = devices.get(line.deviceId(candidate));
                return suiting.test(device.type())
                    && !nodes.contains(device.node())
                    && hasRoom(device, bytes);
              },
              DRAWS_PER_DEVICE * line.devices());
      if (index == NumberLine.NONE) {
        return drawn;
      }
      Device device = devices.get(line.deviceId(index));
      nodes.add(device.node());
      drawn.add(device);
    }
    return drawn;
  }

  private boolean hasRoom(Device device, long bytes) {
    long left = device.remaining() - taken.getOrDefault(device.id(), 0L) - bytes;
    return left >= threshold * device.capacity();
  }
}
