// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/thermocline chaos} does, for a short time; {@code -Dchaos.seconds=600} for longer, by another seed. */
@Tag("cluster")
@Tag("alone")
class ChaosTest {

  @TempDir Path temp;

  @Test
  void whatMustHoldHoldsWhateverGoesWrong() throws Exception {
    long seed = Long.getLong("chaos.seed", Long.getLong("test.seed", 131));
    Duration time = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 40));
    Chaos.Outcome outcome = new Chaos(seed, System.out::println).run(temp, time);
    System.out.println("seed " + seed + ": " + outcome);
    assertEquals(List.of(), outcome.violations());
    assertTrue(outcome.moves() > 0 && !outcome.faults().isEmpty(), outcome::toString);
  }
}
