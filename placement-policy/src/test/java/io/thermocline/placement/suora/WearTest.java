// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.DeviceSelector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WearTest {
  private static final int DEVICES = 24;

  @Test
  void tellsWhatIsLeft() {
    assertEquals(3, Wear.of(10, 7).leftBytes());
    assertEquals(0, Wear.of(10, 11).leftBytes());
    assertEquals(Long.MAX_VALUE, Wear.none().leftBytes());
  }

  @Test
  void deviceIsWornOutBeyondItsBudget() {
    assertFalse(Wear.of(100, 100).isWornOut());
    assertTrue(Wear.of(100, 101).isWornOut());
    assertFalse(Wear.none().isWornOut());
    assertEquals(0.25, Wear.of(400, 100).used());
    assertThrows(IllegalArgumentException.class, () -> Wear.of(0, 1));
    assertThrows(IllegalArgumentException.class, () -> Wear.of(1, -1));
  }

  @Test
  void wornOutDevicesArePassedOverAndNothingElseMoves() {
    List<Device> devices = new ArrayList<>();
    Wear[] wear = new Wear[DEVICES];
    for (int i = 0; i < DEVICES; i++) {
      devices.add(Device.of("ssd" + i, 400 + 10 * i));
      wear[i] = i % 6 == 2 ? Wear.of(1000, 1001) : Wear.of(1000, 40 * i);
    }
    SegmentTable table = SegmentTable.assign(devices, 500);
    DeviceSelector selector = table.numberLine().selector(4);
    int passedOver = 0;
    for (int key = 0; key < 20_000; key++) {
      int was = selector.select(key, device -> true, 1000);
      int is = selector.select(key, device -> !wear[device].isWornOut(), 1000);
      assertFalse(wear[is].isWornOut());
      assertTrue(was == is || wear[was].isWornOut(), "key " + key + " moved");
      passedOver += was == is ? 0 : 1;
    }
    assertNotEquals(0, passedOver);
  }
}
