// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.DeviceSelector;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class WearTest {
  private static final int DEVICES = 24;

  @Test
  void tellsWhatIsLeft() {
    assertEquals(3, Wear.of(10, 7).leftBytes());
    assertEquals(0, Wear.of(10, 11).leftBytes());
  }

  @Test
  void rejectsWhatCantBe() {
    assertThrows(IllegalArgumentException.class, () -> Wear.of(0, 1));
    assertThrows(IllegalArgumentException.class, () -> Wear.of(1, -1));
  }

  @Test
  void wornOutDevicesArePassedOverAndNothingElseMoves() {
    List<Device> devices = new ArrayList<>();
    BitSet worn = new BitSet();
    for (int i = 0; i < DEVICES; i++) {
      devices.add(Device.of("ssd" + i, 400 + 10 * i));
      worn.set(i, i % 6 == 2);
    }
    SegmentTable table = SegmentTable.assign(devices, 500);
    DeviceSelector selector = table.numberLine().selector(4);
    int passedOver = 0;
    for (int key = 0; key < 20_000; key++) {
      int was = selector.select(key, device -> true, 1000);
      int is = selector.select(key, device -> !worn.get(device), 1000);
      assertFalse(worn.get(is));
      assertTrue(was == is || worn.get(was), "key " + key + " moved");
      passedOver += was == is ? 0 : 1;
    }
    assertNotEquals(0, passedOver);
  }
}
