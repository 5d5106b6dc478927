// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.review;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanStateTest {

  @ParameterizedTest
  @CsvSource({"REPORTED, REPORTED", "SAID, REPORTED", "STALE, STALE"})
  void readsTheNamesOfEarlierVersionsToo(String name, PlanState state) {
    assertEquals(state, PlanState.named(name));
  }
}
