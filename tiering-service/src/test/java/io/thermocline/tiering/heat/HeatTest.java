// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.ManualClock;
import io.thermocline.tiering.observe.AccessEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeatTest {

  private final ManualClock clock = new ManualClock();
  private final Heat heat =
      new Heat(new HotnessTable(1 << 12), "ns", Duration.ofMinutes(16), clock);

  @Test
  void halvesInAHalfLife() {
    read("/a", 8);
    clock.advance(Duration.ofMinutes(16));
    heat.cool();

    assertEquals(4, heat.of("/a"), 0.05);
    assertEquals(8, heat.reads());
  }

  @Test
  void coolsTheSameInOneStepAsInMany() {
    read("/a", 1000);
    for (int i = 0; i < 32; i++) {
      clock.advance(Duration.ofMinutes(1));
      heat.cool();
    }

    assertEquals(250, heat.of("/a"), 0.5);
  }

  @Test
  void goesAlongWithARename() {
    read("/a", 3);
    read("/b", 9);
    heat.accept(new AccessEvent(AccessEvent.Kind.RENAME, "/a", "/b"));

    assertEquals(0, heat.of("/a"));
    assertEquals(3, heat.of("/b"));
  }

  @Test
  void endsWithTheDataItBelongsTo() {
    read("/a", 3);
    heat.accept(new AccessEvent(AccessEvent.Kind.DELETE, "/a", null));
    assertEquals(0, heat.of("/a"));

    read("/b", 3);
    heat.accept(new AccessEvent(AccessEvent.Kind.CREATE, "/b", null));
    assertEquals(0, heat.of("/b"));
  }

  private void read(String path, int times) {
    for (int i = 0; i < times; i++) {
      heat.accept(new AccessEvent(AccessEvent.Kind.READ, path, null));
    }
  }
}
