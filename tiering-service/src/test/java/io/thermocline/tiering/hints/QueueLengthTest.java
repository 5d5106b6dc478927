// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class QueueLengthTest {

  @Test
  void isLongUntilItIsHalfAsLong() {
    QueueLength queue = new QueueLength(10);
    assertFalse(queue.now().isLong());
    queue.saw(10);
    assertFalse(queue.now().isLong());
    queue.saw(11);
    assertTrue(queue.now().isLong());
    queue.saw(6);
    assertEquals(new QueueLength.Now(6, 10, true), queue.now());
    queue.saw(5);
    assertFalse(queue.now().isLong());
    queue.saw(6);
    assertFalse(queue.now().isLong());
  }

  @Test
  void isNeverLongWhereNobodyAskedForIt() {
    QueueLength queue = new QueueLength(0);
    queue.saw(1_000);
    assertEquals(new QueueLength.Now(1_000, 0, false), queue.now());
  }
}
