// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.DISK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.hints.Expectation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpectedReadsTest {

  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final Duration HOUR = Duration.ofHours(1);

  /** In an hour, of a heat of 1. */
  private static final double SEEN = Math.log(2) / 6;

  private final Scene scene = new Scene().nodes(1, Map.of(DISK, 1000L));

  private HotFile hinted(double heat, Temperature temperature, double readsPerDay) {
    Expectation expected =
        new Expectation(
            "1",
            "etl",
            Operation.ADVISE,
            temperature,
            readsPerDay,
            0.5,
            Long.MAX_VALUE,
            HOUR.toMillis() / 2);
    return new HotFile(scene.file("/f", 10, "n1-DISK"), heat).with(expected, List.of(), HALF_LIFE);
  }

  @Test
  void readsGoOnAsTheyWere() {
    HotFile file = new HotFile(scene.file("/f", 10, "n1-DISK"), 3);
    assertEquals(3 * SEEN, ExpectedReads.steady(HALF_LIFE).of(file, HOUR), 1e-9);
    assertEquals(3 * SEEN, ExpectedReads.learned(HALF_LIFE).of(file, HOUR), 1e-9);
    assertEquals(6 * SEEN, ExpectedReads.steady(HALF_LIFE).of(file, HOUR.multipliedBy(2)), 1e-9);
  }

  @Test
  void whatIsHintedCountsUntilItsLeaseEnds() {
    ExpectedReads reads = ExpectedReads.learned(HALF_LIFE);
    // 48 reads a day, half believed: one an hour, and half an hour is left.
    assertEquals(0.5, reads.of(hinted(0, Temperature.HOT, 48), HOUR), 1e-9);
    assertEquals(
        10 * SEEN, reads.of(hinted(10, Temperature.HOT, 48), HOUR), 1e-9, "what was seen goes on");
    assertEquals(5 * SEEN, reads.of(hinted(10, Temperature.COLD, 0), HOUR), 1e-9, "half believed");
  }
}
