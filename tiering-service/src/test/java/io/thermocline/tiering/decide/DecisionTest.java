// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.decide.Decision.Cause;
import java.util.EnumSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class DecisionTest {

  private static EnumSet<Cause> those(Predicate<Cause> which) {
    EnumSet<Cause> causes = EnumSet.allOf(Cause.class);
    causes.removeIf(which.negate());
    return causes;
  }

  @Test
  void causesSayWhatIsDone() {
    assertEquals(
        EnumSet.of(
            Cause.PROMOTED,
            Cause.CACHED,
            Cause.MORE_COPIES,
            Cause.RULED_UP,
            Cause.RECALLED,
            Cause.ORDERED_UP),
        those(Cause::isUp));
    assertEquals(EnumSet.of(Cause.ORDERED_DOWN, Cause.ORDERED_UP), those(Cause::isOrdered));
    assertEquals(
        EnumSet.of(Cause.CACHED, Cause.UNCACHED, Cause.MORE_COPIES, Cause.FEWER_COPIES),
        those(Cause::isAction));
  }
}
