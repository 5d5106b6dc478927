// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SimDeviceTest {
  private static final double EXACT = 1e-12;
  private static final DeviceSpec DISK = new DeviceSpec(100, 50, 0.25, 0.5, 2, 10);

  @Test
  void requestsQueueBehindEachOther() {
    SimDevice device = new SimDevice(DISK);

    // 0.25 latency, 2 seek, 1 transfer.
    assertEquals(3.25, device.serveApart(0, 100, false), EXACT);
    assertEquals(6.5, device.serveApart(1, 100, false), EXACT);
    // It was idle from 6.5 on. 0.5 latency, 2 seek, 2 transfer.
    assertEquals(14.5, device.serveApart(10, 100, true), EXACT);
    assertEquals(11, device.busySeconds(), EXACT);
  }

  @Test
  void whatContinuesDoesNotSeek() {
    SimDevice device = new SimDevice(DISK);

    assertEquals(3.25, device.serve(0, 0, 100, false), EXACT);
    assertEquals(4.5, device.serve(0, 110, 100, false), EXACT, "10 bytes on is near");
    assertEquals(7.75, device.serve(0, 221, 100, false), EXACT, "11 isn't");
    assertEquals(11, device.serveApart(0, 100, false), EXACT);
    assertEquals(14.25, device.serve(0, 321, 100, false), EXACT, "the head is elsewhere");
  }

  @Test
  void impossibleDevicesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new DeviceSpec(0, 1, 0, 0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new DeviceSpec(1, 1, -1, 0, 0, 0));
  }
}
