// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All scenarios of {@code bin/thermocline chaos}, for a short time and with few faults; {@code -Dchaos.faults=all} has all
 * of them for longer.
 */
@Tag("cluster")
@Tag("alone")
class ScenariosTest {

  /** Longer than the service may be silent. */
  private static final Duration SHORT = Duration.ofSeconds(12);

  private static final Duration AWAY = Duration.ofSeconds(143);

  @TempDir Path temp;

  @Test
  void whatMustHoldHoldsInEachScenario() throws Exception {
    long seed = Long.getLong("chaos.seed", Long.getLong("test.seed", 131));
    boolean isLong = System.getProperty("chaos.faults", "").equals("all");
    Scenarios scenarios = new Scenarios(EnumSet.allOf(Scenario.class), seed, System.out::println);
    scenarios.run(
        temp,
        Duration.ofSeconds(isLong ? 120 : 25),
        isLong ? Duration.ofSeconds(75) : SHORT,
        isLong
            ? scenarios.faults()
            : List.of(
                ProcessFault.MOVER_FROZEN,
                ProcessFault.NAMENODES_FROZEN,
                ProcessFault.DATANODE_FROZEN,
                ProcessFault.SERVICE_KILLED));
    System.out.println(scenarios.json(seed));
    assertEquals(List.of(), scenarios.violations());
  }

  /** So long that whatever a client logs at each try would fill a log. */
  @Tag("on-demand")
  @Test
  void theLogStaysShortWhileBothNameNodesAreAway() throws Exception {
    Scenarios scenarios = new Scenarios(EnumSet.of(Scenario.SILENCE), 1, System.out::println);
    scenarios.run(temp, Duration.ZERO, AWAY, List.of(ProcessFault.NAMENODES_DOWN));
    System.out.println(scenarios.json(1));
    assertEquals(List.of(), scenarios.violations());
  }
}
