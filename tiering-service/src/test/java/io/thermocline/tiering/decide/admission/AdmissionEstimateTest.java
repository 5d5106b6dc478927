// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AdmissionEstimateTest {

  @Test
  void movesWhatOffersThePrice() {
    assertTrue(
        new AdmissionEstimate(AdmissionEstimate.Basis.LEARNED, 1, 1, 0.5, 2, 2).isAdmitted());
    assertFalse(
        new AdmissionEstimate(AdmissionEstimate.Basis.LEARNED, 1, 1, 0.5, 2, 2.1).isAdmitted());
  }

  @Test
  void saysItsNumbers() {
    assertEquals(
        "read 3 times, with a chance of 25 % again while it's worth its room: 2.00 hits a TB moved, of 5.00 needed",
        new AdmissionEstimate(AdmissionEstimate.Basis.LEARNED, 3, 1, 0.25, 2e-12, 5e-12).numbers());
    assertEquals(
        "read 1 times, below the threshold, which has more hits here than what was learned",
        new AdmissionEstimate(AdmissionEstimate.Basis.THRESHOLD, 1, 1, 0, 0, 5e-12).numbers());
  }
}
