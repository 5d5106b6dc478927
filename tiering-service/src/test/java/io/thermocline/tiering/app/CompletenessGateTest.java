// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.Completeness;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompletenessGateTest {

  @Test
  void closesBelowTheLeastAndSaysByHowMuch() {
    String why = CompletenessGate.objection(new Completeness(20_000, 14_240, 3), 0.9).orElseThrow();
    assertTrue(
        why.startsWith(
            "planning nothing: the audit logs are 71.20 % complete: 14240 of 20000 counted operations"
                + " are in the audit log, 3 known as discarded, and observe.minCompleteness is"
                + " 90.00 %"),
        why);
  }

  @Test
  void isOpenAtTheLeastAndWhereNothingIsKnown() {
    assertEquals(
        Optional.empty(), CompletenessGate.objection(new Completeness(20_000, 18_000, 0), 0.9));
    assertEquals(Optional.empty(), CompletenessGate.objection(Completeness.UNKNOWN, 1));
    assertEquals(Optional.empty(), CompletenessGate.objection(new Completeness(900, 1, 0), 1));
    assertEquals(Optional.empty(), CompletenessGate.objection(new Completeness(20_000, 0, 0), 0));
  }
}
