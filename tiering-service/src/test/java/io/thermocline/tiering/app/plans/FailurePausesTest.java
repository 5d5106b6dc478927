// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailurePausesTest {

  private long nanos = Long.MAX_VALUE - 5;
  private final FailurePauses pauses = new FailurePauses(() -> nanos);

  @Test
  void growForTheSameReasonUpToALimit() {
    Duration expected = FailurePauses.FIRST;
    for (int i = 0; i < 12; i++) {
      pauses.failed("/a", "block " + i + " of dn" + i + ": no room");
      pauses.failed("/a", "another block of the same plan");
      assertPaused(expected);
      expected = expected.multipliedBy(2);
      if (expected.compareTo(FailurePauses.LONGEST) > 0) {
        expected = FailurePauses.LONGEST;
      }
    }
    pauses.failed("/a", "Permission denied");
    assertPaused(FailurePauses.FIRST);
  }

  @Test
  void endWithAMoveThatSucceedsAfterThem() {
    pauses.failed("/a", "no room");
    pauses.done("/a");
    assertEquals(
        Optional.of("a move of it failed, and is planned again in 11 s: no room"),
        pauses.objection("/a"));
    assertPaused(FailurePauses.FIRST);

    pauses.done("/a");
    pauses.failed("/a", "no room");
    assertPaused(FailurePauses.FIRST);
    assertEquals(Optional.empty(), pauses.objection("/b"));
  }

  @Test
  void rememberSoManyFiles() {
    for (int i = 0; i <= FailurePauses.MOST; i++) {
      pauses.failed("/f" + i, "no room");
    }
    assertEquals(Optional.empty(), pauses.objection("/f0"));
    assertTrue(pauses.objection("/f1").isPresent());
  }

  /** And lets it pass. */
  private void assertPaused(Duration pause) {
    nanos += pause.toNanos() - 1;
    assertTrue(pauses.objection("/a").isPresent(), pause::toString);
    nanos++;
    assertEquals(Optional.empty(), pauses.objection("/a"), pause::toString);
  }
}
