// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReaderTallyTest {

  @Test
  void goesOnFromWhatWasSaved() {
    ReaderTally tally = new ReaderTally(1_000);
    tally.add("10.0.0.1", 0);
    tally.add("10.0.0.1", 500);
    tally.add("10.0.0.2", 1_500);
    ReaderTally restored = new ReaderTally(1_000);
    restored.restore(tally.toBytes());
    assertEquals(tally.counts(), restored.counts());

    tally.add("10.0.0.2", 2_700);
    restored.add("10.0.0.2", 2_700);
    assertEquals(tally.counts(), restored.counts(), "older opens fade as they would have");
    assertEquals(0.5, restored.counts().of("10.0.0.1"), 1e-9);
  }

  @Test
  void isBoundedAndTakesNothingElse() {
    ReaderTally tally = new ReaderTally(1_000);
    for (int i = 0; i < 2 * ReaderTally.MOST; i++) {
      tally.add("address " + i, 0);
    }
    byte[] saved = tally.toBytes();
    assertTrue(saved.length <= (ReaderTally.MOST + 1) * 16, saved.length + " bytes");
    ReaderTally restored = new ReaderTally(1_000);
    assertThrows(IllegalArgumentException.class, () -> restored.restore(new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> restored.restore(new byte[17]));
    assertThrows(
        IllegalArgumentException.class,
        () -> restored.restore(new byte[(ReaderTally.MOST + 2) * 16]));
  }
}
