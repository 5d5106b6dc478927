// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring as its callers use it: limits of the search, following a cluster, memory. */
class RingTest {
  private static final long TB = 1_000_000_000_000L;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 30})
  void findsTheOnlyDeviceThatIsAccepted(int count) {
    AttributedRing ring = AttributedRing.build(devices(count, TB), smallRing(count));
    for (int wanted = 0; wanted < count; wanted++) {
      int only = wanted;
      for (long key = 0; key < 100; key++) {
        assertEquals(only, ring.select(key, device -> device == only, 10_000));
      }
    }
  }

  @Test
  void asksNoMoreThanItMay() {
    AttributedRing ring = ringWithout(devices(20, TB), 3);
    for (int most = 0; most < 40; most++) {
      int[] asked = {0};
      int found =
          ring.select(
              most,
              device -> {
                assertFalse(ring.isRemoved(device));
                asked[0]++;
                return false;
              },
              most);
      assertEquals(AttributedRing.NONE, found);
      assertTrue(asked[0] <= most, asked[0] + " asked of at most " + most);
      assertTrue(most == 0 || asked[0] > 0);
    }
  }

  @Test
  void aRingWithoutDevicesHasNone() {
    AttributedRing none = AttributedRing.build(List.of(), RingRules.defaults());
    assertEquals(AttributedRing.NONE, none.select(1, device -> true, 100));
    AttributedRing one = none.follow(List.of(device(1, TB)));
    assertEquals("d1", one.deviceId(one.select(1, device -> true, 100)));
    assertEquals(AttributedRing.NONE, one.follow(List.of()).select(1, device -> true, 100));
  }

  @Test
  void saysWhatIsWrong() {
    AttributedRing ring = AttributedRing.build(devices(3, TB), RingRules.defaults());
    List<RingDevice> twice = List.of(device(1, TB), device(1, 2 * TB));
    assertThrows(
        IllegalArgumentException.class, () -> AttributedRing.build(twice, RingRules.defaults()));
    assertThrows(IllegalArgumentException.class, () -> ring.follow(twice));
    assertThrows(IllegalArgumentException.class, () -> RingDevice.of("", 1, 1));
    assertThrows(IllegalArgumentException.class, () -> RingDevice.of("d", 0, 1));
    assertThrows(IllegalArgumentException.class, () -> RingDevice.of("d", 1, Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> RingRules.paper().withSectorSize(0));
    assertThrows(IllegalArgumentException.class, () -> RingRules.paper().withThrottle(0));
  }

  @Test
  void followsAClusterBySmallSteps() {
    List<RingDevice> cluster = devices(40, TB);
    AttributedRing ring = AttributedRing.build(cluster, RingRules.defaults());
    assertSame(ring, ring.follow(cluster));
    cluster.set(0, device(0, TB + TB / 200));
    assertSame(ring, ring.follow(cluster), "a capacity that wavers by half a percent");

    cluster.remove(5);
    AttributedRing without = ring.follow(cluster);
    assertEquals(40, without.devices());
    assertTrue(without.isRemoved(ring.indexOf("d5")));
    cluster.add(device(5, TB));
    AttributedRing back = without.follow(cluster);
    assertEquals(40, back.devices());
    assertFalse(back.isRemoved(back.indexOf("d5")));
    assertEquals(ring.virtualNodes(), back.virtualNodes());

    cluster.add(device(100, TB));
    AttributedRing grown = back.follow(cluster);
    assertEquals(ring.sectors(), grown.sectors(), "merged into existing sectors");
    assertTrue(grown.virtualNodes() > ring.virtualNodes());

    cluster.set(1, device(1, TB + TB / 2));
    AttributedRing replaced = grown.follow(cluster);
    assertEquals(42, replaced.devices(), "another disk under the same id");
    assertEquals(41, replaced.indexOf("d1"));
  }

  @Test
  void followsAClusterThatIsAnotherByBuildingAnew() {
    AttributedRing ring = AttributedRing.build(devices(40, TB), RingRules.defaults());
    AttributedRing doubled = ring.follow(devices(90, TB));
    assertNotSame(ring.sectors(), doubled.sectors());
    assertEquals(90, doubled.devices());
    AttributedRing half = ring.follow(devices(20, TB));
    assertEquals(20, half.devices(), "no marks left");
    // d7 would need more than 65,536 virtual nodes at the old c_throttle.
    List<RingDevice> larger = devices(40, TB);
    larger.set(7, device(7, 1_000_000 * TB));
    AttributedRing rescaled = ring.follow(larger);
    assertTrue(rescaled.throttleBytes() > ring.throttleBytes());
    assertEquals(40, rescaled.devices());
  }

  @ParameterizedTest
  @CsvSource({"5,16777216", "40,16777216", "1000,16777216", "1000,1048576", "20000,16777216"})
  void throttleKeepsWithinMemoryAndCutsNoDeviceOff(int count, long memory) {
    List<RingDevice> cluster = devices(count, TB);
    cluster.add(device(count, 400 * TB));
    Throttle throttle = Throttle.derive(cluster, memory);
    long sum = 0;
    for (RingDevice device : cluster) {
      assertFalse(throttle.cutsOff(device.capacityBytes()));
      sum += throttle.virtualNodes(device.capacityBytes());
    }
    assertTrue(sum * Throttle.BYTES_PER_VIRTUAL_NODE <= memory, sum + " virtual nodes");
  }

  @ParameterizedTest
  @CsvSource({"100,256", "1000,256", "200,4096", "2000,256"})
  void aVirtualNodeTakesTwelveBytesAtMost(int count, int each) {
    RingRules rules = RingRules.paper().withThrottle(TB / each);
    AttributedRing ring = AttributedRing.build(devices(count, TB), rules);
    assertEquals((long) count * each, ring.virtualNodes());
    long walked = HeapSize.of(ring);
    assertTrue(walked <= 12 * ring.virtualNodes(), walked + " bytes");
    assertEquals(walked, ring.memoryBytes(), 0.02 * walked);
    assertEquals(
        walked, AttributedRing.estimateBytes(count, ring.virtualNodes(), rules), 0.02 * walked);
    // Also where SSDs are among them, and after sectors have grown.
    AttributedRing grown = ring;
    List<RingDevice> present = devices(count, TB);
    for (int i = 0; i < 5; i++) {
      present.add(RingDevice.of("ssd" + i, TB / 4, 540));
      grown = grown.follow(present);
    }
    assertTrue(HeapSize.of(grown) <= 12 * grown.virtualNodes());
  }

  @Test
  void choosingAllocatesNothing() {
    List<RingDevice> cluster = devices(50, TB);
    for (int i = 50; i < 70; i++) {
      cluster.add(RingDevice.of("d" + i, TB, 540));
    }
    AttributedRing ring = ringWithout(cluster, 7);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (long key = 0; key < 20_000; key++) {
        ring.select(key, device -> device % 2 == 0, 100);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(least < 10_000, least + " bytes in 20,000 choices");
  }

  /** A c_throttle that gives each device one or a few virtual nodes. */
  private static RingRules smallRing(int count) {
    return RingRules.defaults().withThrottle(count % 2 == 0 ? TB : TB / 4);
  }

  /** A ring of these devices, of which one has been removed. */
  private static AttributedRing ringWithout(List<RingDevice> devices, int removed) {
    AttributedRing ring = AttributedRing.build(devices, RingRules.defaults());
    List<RingDevice> left = new ArrayList<>(devices);
    left.remove(removed);
    return ring.follow(left);
  }

  private static List<RingDevice> devices(int count, long capacity) {
    List<RingDevice> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(device(i, capacity));
    }
    return devices;
  }

  private static RingDevice device(int i, long capacity) {
    return RingDevice.of("d" + i, capacity, 146);
  }
}
