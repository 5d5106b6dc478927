// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.thermocline.placement.model.DeviceSelector;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The selector chooses as a sequence on the line does, and neither it nor a replica line allocates. */
class LineSelectorTest {
  private static final long SEED = 3;

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 100, 1000, 5000, 40_000})
  void choosesAsTheSequenceDoes(int devices) {
    NumberLine line = line(devices);
    DeviceSelector selector = line.selector(SEED);
    // From all to none but a few: hundreds of draws, down to the deepest generator.
    for (int oneIn : new int[] {1, 3, 50, 700}) {
      IntPredicate accept = device -> device % oneIn == oneIn - 1;
      int keys = 20_000 / oneIn;
      for (int key = 0; key < keys; key++) {
        int expected = line.place(RandomSequence.of(key, SEED), accept, 3000);
        assertEquals(expected, selector.select(key, accept, 3000), "key " + key + " 1/" + oneIn);
      }
    }
  }

  @Test
  void drawsBeyondItsCountersGoOnWhereTheyEnded() {
    NumberLine line = line(300);
    DeviceSelector selector = line.selector(SEED);
    for (int first : new int[] {65_534, 65_535, 65_536, 70_000}) {
      // The device of exactly that hit.
      assertEquals(
          line.place(RandomSequence.of(9, SEED), after(first), 200_000),
          selector.select(9, after(first), 200_000));
    }
    assertEquals(DeviceSelector.NONE, selector.select(9, device -> false, 66_000));
  }

  @Test
  void emptyLineSelectsNothing() {
    DeviceSelector selector = SegmentTable.assign(List.of(), 1).numberLine().selector(SEED);
    assertEquals(DeviceSelector.NONE, selector.select(1, device -> true, 10));
    assertEquals(0, selector.devices());
  }

  @Test
  void lookUpsAllocateNothing() {
    SegmentTable table = table(1000);
    for (int i = 0; i < 200; i++) {
      table = table.append(Device.of("late" + i, 150), 100).remove("d" + i);
    }
    DeviceSelector selector = table.numberLine().selector(SEED);
    IntPredicate accept = device -> device % 5 != 0;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = 0;
    // The first round loads classes, and the second may still compile.
    for (int round = 0; round < 3; round++) {
      before = threads.getThreadAllocatedBytes(thread);
      for (int key = 0; key < 100_000; key++) {
        selector.select(key, accept, 512);
      }
    }
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    assertEquals(0, allocated / 100_000, allocated + " bytes in 100000 look-ups of each kind");
  }

  private static IntPredicate after(int hits) {
    int[] left = {hits};
    return device -> left[0]-- == 0;
  }

  private static NumberLine line(int devices) {
    return table(devices).numberLine();
  }

  private static SegmentTable table(int devices) {
    List<Device> all = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      all.add(Device.of("d" + i, 50 + i * 37 % 130));
    }
    return SegmentTable.assign(all, 100);
  }
}
