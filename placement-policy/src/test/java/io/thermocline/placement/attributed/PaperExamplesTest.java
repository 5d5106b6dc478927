// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The worked examples of the paper, by section and figure. */
class PaperExamplesTest {
  private static final long GB = 1L << 30;
  private static final long TB = GB << 10;

  @Test
  void section32VirtualNodesByCapacity() {
    Throttle throttle = Throttle.of(GB);
    assertEquals(1024, throttle.virtualNodes(1024 * GB));
    assertEquals(512, throttle.virtualNodes(512 * GB));
    assertEquals(256, throttle.virtualNodes(256 * GB));
    assertEquals(257, throttle.virtualNodes(256 * GB + 1));
    assertEquals(1, throttle.virtualNodes(1));
    assertEquals(65_536, throttle.virtualNodes(64 * TB));
    assertEquals(65_536, throttle.virtualNodes(65 * TB));
    assertTrue(throttle.cutsOff(65 * TB));
  }

  @Test
  void section33SectorsOfSuccessiveVirtualNodes() {
    // Figure 2(b): 11 virtual nodes, s = 3, so ceil(11 / 3) sectors, the last of 2.
    Sectors sectors = figure2();
    assertEquals(4, sectors.count());
    int[] sizes = new int[4];
    int[] lasts = new int[4];
    int sector = 0;
    for (int i = 0; i < 4; i++) {
      sizes[i] = sectors.size(sector);
      lasts[i] = sectors.member(sector, sizes[i] - 1);
      sector = sectors.next(sector);
    }
    assertEquals(0, sector, "clockwise, the first follows the last");
    assertArrayEquals(new int[] {3, 3, 3, 2}, sizes);
    assertArrayEquals(
        new int[] {A, B, C, D}, lasts, "A1, B1, C1 and D1 are the sectors' positions");
  }

  @Test
  void section33DataGoesToItsFirstSuccessorSector() {
    // Figure 2(c): all data up to the position of A1 belong to sector 0, x2 behind it to sector 1.
    Sectors sectors = figure2();
    int sector0 = 0;
    int sector1 = sectors.next(sector0);
    assertEquals(sector0, sectors.find(0));
    assertEquals(sector0, sectors.find(position(3)));
    assertEquals(sector1, sectors.find(position(3) + 1));
    assertEquals(sector1, sectors.find(position(6)));
    assertEquals(sectors.next(sectors.next(sector1)), sectors.find(position(11)));
    assertEquals(sector0, sectors.find(position(11) + 1), "round the end");
    assertEquals(sector0, sectors.find(-1), "round the end");
  }

  @Test
  void section341CapacityStrategy() {
    // (hash(x) + r p) mod s, p = 65537 = 1 mod 4 = 5 mod 6.
    assertEquals(2, CapacityStrategy.first(10, 0, 4, 4));
    assertEquals(3, CapacityStrategy.first(10, 1, 4, 4));
    assertEquals(0, CapacityStrategy.first(10, 2, 4, 4));
    assertEquals(4, CapacityStrategy.first(10, 0, 6, 6));
    assertEquals(3, CapacityStrategy.first(10, 1, 6, 6));
    // Of the hash its lower half, the upper one being the position.
    assertEquals(2, CapacityStrategy.first(0x7777_7777_0000_000AL, 0, 4, 4));
  }

  @Test
  void section342OneRangeForEachDevice() {
    // Figure 3(b): A1, B1, A2 and a fourth; with min = 146, A has [0, 1) and B [1, 2.5). A2 is
    // ignored.
    float[] bandwidths = {146, 219, 540};
    Sectors sectors = Sectors.cut(ring(0, 1, 0, 2), 4, bandwidths);
    assertTrue(sectors.isHeterogeneous(0));
    assertEquals(3, sectors.size(0));
    assertEquals(0, BandwidthStrategy.memberAt(0, sectors, 0, bandwidths));
    assertEquals(0, BandwidthStrategy.memberAt(0.999 * 146, sectors, 0, bandwidths));
    assertEquals(1, BandwidthStrategy.memberAt(1 * 146, sectors, 0, bandwidths));
    assertEquals(1, BandwidthStrategy.memberAt(2.499 * 146, sectors, 0, bandwidths));
    assertEquals(2, BandwidthStrategy.memberAt(2.5 * 146, sectors, 0, bandwidths));
    assertEquals(2, BandwidthStrategy.memberAt(146 + 219 + 539.9, sectors, 0, bandwidths));
  }

  @Test
  void section344AStrategyForEachSector() {
    // Figure 4: x on A1 in sector 0 and on B1 in sector 1, both homogeneous; in sector 2 it's first
    // mapped to A2, which holds a copy, and then to C1.
    AttributedRing ring =
        given(
            List.of(
                device("A", 2, 146),
                device("B", 1, 146),
                device("C", 1, 540),
                device("F", 1, 146),
                device("G", 1, 146)),
            2,
            "A0 F0 G0 B0 A1 C0");
    assertEquals(3, ring.sectors());
    assertEquals(1, ring.heterogeneousSectors());
    int a = ring.indexOf("A");
    int b = ring.indexOf("B");
    int skipped = 0;
    for (long key = 0; key < 2000; key++) {
      if (isInFirstSector(key)
          && ring.select(key, any -> true, 10) == a
          && ring.select(key, any -> any != a, 10) == b) {
        // Where bandwidth leads to A2, ours goes round to F in the first sector instead of asking
        // the third again.
        int third = ring.select(key, any -> any != a && any != b, 10);
        assertTrue(List.of("C", "F").contains(ring.deviceId(third)), "key " + key);
        skipped++;
      }
    }
    assertTrue(skipped > 0, "no key came to A1 and B1");
  }

  @Test
  void section35AdditionIsMergedIntoExistingSectors() {
    // Figure 5: E1 falls into sector 0, E2 into sector 2; no sector is new and none changes its
    // position.
    long[] added = {
      Sectors.virtualNode(position(1) + 7, E), Sectors.virtualNode(position(7) + 7, E)
    };
    Sectors before = figure2();
    Sectors after = before.merge(added, RingRules.Merge.RECALCULATED, SIMILAR);
    assertEquals(4, after.count());
    int sector = 0;
    int[] sizes = new int[4];
    for (int i = 0; i < 4; i++) {
      sizes[i] = after.size(sector);
      sector = after.next(sector);
    }
    assertArrayEquals(new int[] {4, 3, 4, 2}, sizes);
    for (int node = 1; node <= 11; node++) {
      assertEquals(
          before.member(before.find(position(node)), 0),
          after.member(after.find(position(node)), 0));
    }
  }

  @Test
  void section35AnSsdChangesTheStrategyOfAnHddSector() {
    AttributedRing hdds = given(List.of(device("A", 1, 146), device("B", 1, 146)), 4, "A0 B0 S0");
    assertEquals(0, hdds.heterogeneousSectors());
    AttributedRing mixed =
        hdds.follow(List.of(device("A", 1, 146), device("B", 1, 146), device("S", 1, 540)));
    assertEquals(1, mixed.sectors());
    assertEquals(1, mixed.heterogeneousSectors());
    double[] shares = mixed.shares();
    assertEquals(146.0 / 832, shares[0], 1e-6);
    assertEquals(540.0 / 832, shares[mixed.indexOf("S")], 1e-6);
  }

  // Figure 2(b), clockwise, with numbers for A to D: B2 C2 A1 | D2 A2 B1 | B3 A3 C1 | C3 D1.
  private static final int A = 0;
  private static final int B = 1;
  private static final int C = 2;
  private static final int D = 3;
  private static final int E = 4;
  private static final float[] SIMILAR = {146, 146, 146, 146, 146};

  private static Sectors figure2() {
    return Sectors.cut(ring(B, C, A, D, A, B, B, A, C, C, D), 3, SIMILAR);
  }

  private static long[] ring(int... devices) {
    long[] ring = new long[devices.length];
    for (int i = 0; i < devices.length; i++) {
      ring[i] = Sectors.virtualNode(position(i + 1), devices[i]);
    }
    return ring;
  }

  /** Of the n-th of up to 12 virtual nodes, from 1 on; from the 7th on beyond half the ring. */
  private static int position(int n) {
    return n * 0x1400_0000;
  }

  private static boolean isInFirstSector(long key) {
    int position = (int) (Hash.mix(key) >>> 32);
    return Integer.compareUnsigned(position, position(2)) <= 0
        || Integer.compareUnsigned(position, position(6)) > 0;
  }

  /** A ring with virtual nodes where the words are, device id and virtual node's number. */
  private static AttributedRing given(List<RingDevice> devices, int s, String words) {
    Map<String, Integer> positions = new HashMap<>();
    for (String word : words.split(" ")) {
      positions.put(word, position(positions.size() + 1));
    }
    return AttributedRing.build(
        devices,
        RingRules.paper().withThrottle(1).withSectorSize(s),
        (id, virtualNode) -> positions.get(id + virtualNode));
  }

  private static RingDevice device(String id, long virtualNodes, double bandwidth) {
    return RingDevice.of(id, virtualNodes, bandwidth);
  }
}
