// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FallbackBackEndTest {

  private static final ActLimits LIMITS =
      new ActLimits(8, 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(60));

  private final PlanExecutor.Machinery machinery =
      new PlanExecutor.Machinery(
          null, System::nanoTime, wait -> {}, ExecutionControl.running(Clock.systemUTC()));

  @Test
  void whoMovesExactReplicasGivesWayToo() {
    PlanExecutor exact = new PlanExecutor(new FakeHdfs(), LIMITS, machinery, (path, policy) -> {});
    BackEnd both =
        new FallbackBackEnd(
            new SatisfierExecutor(null, LIMITS, machinery, (path, policy) -> {}), exact);

    both.giveWay(Set.of("n1"), false);
    both.atMost(1, "readers wait");

    assertSame(exact, both.exact());
    assertEquals(1, exact.throttle().spared());
    assertEquals("readers wait", exact.throttle().why());
    assertEquals(Throttle.NONE, both.throttle(), "nothing is said of plans by others");
  }
}
