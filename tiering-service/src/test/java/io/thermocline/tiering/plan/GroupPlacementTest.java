// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.NumberSource;
import io.thermocline.placement.suora.RandomSequence;
import io.thermocline.tiering.classify.groups.AccessSequence;
import io.thermocline.tiering.classify.groups.GroupPattern;
import io.thermocline.tiering.plan.GroupPlacement.Device;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The example of PRS, table 1 and figure 8, and what algorithm 2 promises. */
class GroupPlacementTest {

  private static final long GB = 1_000_000_000L;

  /** Table 1, in MB and MB/s. */
  private static final List<Device> TABLE_1 =
      List.of(
          new Device("Node 1", "1", StorageType.DISK, 146, 1000 * GB, 1000 * GB),
          new Device("Node 2", "2", StorageType.DISK, 263, 500 * GB, 500 * GB),
          new Device("Node 3", "3", StorageType.SSD, 540, 256 * GB, 256 * GB));

  private static String first(double... numbers) {
    List<Device> placed =
        new GroupPlacement(TABLE_1, 360, 0.1)
            .place(RandomSequence.of(given(numbers)), type -> true, GB, 1);
    return placed.isEmpty() ? "none" : placed.get(0).id();
  }

  /** Those numbers, then again from the first. */
  private static NumberSource given(double... numbers) {
    return new NumberSource() {
      private int next;

      @Override
      public double next() {
        return numbers[next++ % numbers.length];
      }

      @Override
      public double range() {
        return 4;
      }
    };
  }

  @Test
  void segmentsAreAsLongAsBandwidthsByP() {
    assertEquals("Node 1", first(0), "seg_0 begins at 0");
    assertEquals("Node 1", first(0.405), "seg_0 is [0, 0.41)");
    assertEquals("Node 2", first(0.41, 1.0));
    assertEquals("Node 2", first(1.73), "seg_1 is [1, 1.73)");
    assertEquals("Node 3", first(1.74, 2.99), "seg_2 is [2, 3)");
    assertEquals("Node 3", first(3.49), "seg_3 is [3, 3.5)");
    assertEquals("none", first(0.5, 1.9, 3.5), "gaps");
  }

  @Test
  void theFirstNumberThatHitsASegmentDecides() {
    assertEquals("Node 3", first(0.8, 2.3), "section 3.4.2: R = {0.8, 2.3} is seg_2");
  }

  @Test
  void smallRandomReadsGoToSsdAndLargeLocalOnesToDisk() {
    GroupPlacement placement = new GroupPlacement(TABLE_1, 360, 0.1);
    for (GroupPattern pattern : GroupPattern.values()) {
      for (long id = 0; id < 50; id++) {
        List<Device> small =
            placement.place(id, GroupPlacement.suiting(pattern, AccessSequence.RANDOM_SMALL), 1, 1);
        assertEquals(StorageType.SSD, small.get(0).type());
      }
    }
    boolean ssd = false;
    for (long id = 0; id < 50; id++) {
      List<Device> local =
          placement.place(
              id, GroupPlacement.suiting(GroupPattern.LOCAL, AccessSequence.LARGE), 1, 1);
      assertEquals(StorageType.DISK, local.get(0).type());
      List<Device> global =
          placement.place(
              id, GroupPlacement.suiting(GroupPattern.GLOBAL, AccessSequence.LARGE), 1, 1);
      ssd |= global.get(0).type() == StorageType.SSD;
    }
    assertTrue(ssd, "hot objects may be on SSD however they are read");
    Predicate<StorageType> any = GroupPlacement.suiting(GroupPattern.LOCAL, AccessSequence.UNKNOWN);
    assertTrue(any.test(StorageType.SSD) && any.test(StorageType.DISK), "nobody knows");
  }

  @Test
  void hotGroupsHaveTheirFirstReplicaOnAFastDevice() {
    GroupPlacement placement = GroupPlacement.of(TABLE_1, 0.1);
    Predicate<StorageType> anywhere = type -> true;
    for (long id = 0; id < 50; id++) {
      List<Device> hot = placement.place(id, GroupPattern.GLOBAL, anywhere, 1, 2);
      assertEquals("Node 3", hot.get(0).id());
      assertEquals(2, hot.stream().map(Device::node).distinct().count());
      assertEquals(
          placement.place(id, anywhere, 1, 2),
          placement.place(id, GroupPattern.LOCAL, anywhere, 1, 2));
    }
    assertEquals(List.of(), placement.place(1, GroupPattern.GLOBAL, anywhere, 1, 0));
    List<Device> full = placement.place(1, GroupPattern.GLOBAL, anywhere, 240 * GB, 1);
    assertEquals(StorageType.DISK, full.get(0).type(), "no room on the SSD");
  }

  @Test
  void fastDevicesHaveAsManyBytesOfHotGroupsAsTheirBandwidthIs() {
    List<Device> devices =
        List.of(
            new Device("disk", "0", StorageType.DISK, 160, 1000 * GB, 1000 * GB),
            new Device("ssd 1", "1", StorageType.SSD, 380, 200 * GB, 200 * GB),
            new Device("ssd 2", "2", StorageType.SSD, 380, 200 * GB, 200 * GB),
            new Device("nvme", "3", StorageType.SSD, 760, 200 * GB, 200 * GB));
    GroupPlacement placement = GroupPlacement.of(devices, 0.1);
    Map<String, Integer> counts = new HashMap<>();
    for (long id = 0; id < 400; id++) {
      String first = placement.place(id, GroupPattern.GLOBAL, type -> true, 1, 1).get(0).id();
      counts.merge(first, 1, Integer::sum);
    }
    // Single draws stray by 9 and 10, one standard deviation.
    assertEquals(100, counts.get("ssd 1"), 3);
    assertEquals(100, counts.get("ssd 2"), 3);
    assertEquals(200, counts.get("nvme"), 3);
  }

  @Test
  void firstReplicasAvoidDevicesOfGroupsOfBefore() {
    List<Device> devices =
        List.of(
            new Device("ssd 1", "1", StorageType.SSD, 380, 200 * GB, 200 * GB),
            new Device("ssd 2", "2", StorageType.SSD, 380, 200 * GB, 200 * GB));
    GroupPlacement placement = GroupPlacement.of(devices, 0.1);
    placement.lies("ssd 1", 170 * GB);
    int second = 0;
    for (long id = 0; id < 100; id++) {
      List<Device> first = placement.place(id, GroupPattern.GLOBAL, type -> true, GB, 1);
      second += first.get(0).id().equals("ssd 2") ? 1 : 0;
    }
    assertTrue(second >= 90, "where none is yet, in all but few draws: " + second);
    GroupPlacement full = GroupPlacement.of(devices.subList(0, 1), 0.1);
    full.lies("ssd 1", 170 * GB);
    assertEquals(1, full.place(1, type -> true, 150 * GB, 1).size(), "its room is taken already");
  }

  @Test
  void groupsAreSpreadByBandwidth() {
    Map<String, Integer> counts = new HashMap<>();
    GroupPlacement placement = GroupPlacement.of(TABLE_1, 0.1);
    int groups = 20_000;
    for (long id = 0; id < groups; id++) {
      counts.merge(placement.place(id, type -> true, 1, 1).get(0).id(), 1, Integer::sum);
    }
    for (Device device : TABLE_1) {
      double share = device.bandwidth() / 949.0;
      double deviation = Math.sqrt(groups * share * (1 - share));
      assertEquals(groups * share, counts.get(device.id()), 5 * deviation, device.id());
    }
  }

  @Test
  void aDeviceKeepsItsThresholdFreeAndReplicasAreOnDifferentNodes() {
    List<Device> devices =
        IntStream.range(0, 4)
            .mapToObj(i -> new Device("d" + i, "n" + i / 2, StorageType.SSD, 100, 1000, 350))
            .toList();
    GroupPlacement placement = GroupPlacement.of(devices, 0.1);
    Map<String, Long> taken = new HashMap<>();
    for (long id = 0; id < 20; id++) {
      List<Device> placed = placement.place(id, type -> true, 50, 2);
      placed.forEach(device -> taken.merge(device.id(), 50L, Long::sum));
      assertEquals(
          placed.size(), placed.stream().map(Device::node).distinct().count(), "one a node");
    }
    devices.forEach(device -> assertEquals(250, taken.get(device.id()), "to 100 of 1000 free"));
    assertEquals(List.of(), placement.place(99, type -> true, 50, 2), "full");
  }
}
