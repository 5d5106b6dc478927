// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SweepsTest {
  private static final long GB = 1_000_000_000;

  private final Sweeps sweeps = new Sweeps();

  @Test
  void gapIsToTheLastFirstReadOfTheSize() {
    assertEquals(Double.POSITIVE_INFINITY, sweeps.firstRead(GB, 10));
    assertEquals(3, sweeps.firstRead(GB, 13));
    assertEquals(7, sweeps.firstRead(GB, 20));
  }

  /** Whether or not the border of a class is between them. */
  @Test
  void aboutTheSameSizeCountsAndAnotherDoesNot() {
    for (int i = 0; i < 100; i++) {
      Sweeps fresh = new Sweeps();
      long bytes = (long) (GB * Math.exp(i / 1_000.0));
      fresh.firstRead(bytes, 0);
      assertEquals(1, fresh.firstRead((long) (bytes * 1.004), 1));
      assertEquals(Double.POSITIVE_INFINITY, fresh.firstRead((long) (bytes * 1.02), 2));
      Sweeps smaller = new Sweeps();
      smaller.firstRead(bytes, 0);
      assertEquals(1, smaller.firstRead((long) (bytes * 0.996), 1));
    }
  }

  @Test
  void takesEverySize() {
    sweeps.firstRead(0, 0);
    assertEquals(1, sweeps.firstRead(1, 1));
    sweeps.firstRead(Long.MAX_VALUE, 2);
    assertEquals(1, sweeps.firstRead(Long.MAX_VALUE - 1, 3));
  }
}
