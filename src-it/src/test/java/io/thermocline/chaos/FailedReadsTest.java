// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailedReadsTest {

  private static final long SECOND = 1_000_000_000L;

  private final FailedReads reads = new FailedReads();

  @Test
  void aReadFailsForTheLastFaultThatTakesFilesAwayWhileItRan() {
    reads.began(Fault.NAMENODE_RESTART, 10 * SECOND);
    assertEquals(Optional.empty(), reads.failed(8 * SECOND, 9 * SECOND), "before");
    assertEquals(Optional.of(Fault.NAMENODE_RESTART), reads.failed(9 * SECOND, 11 * SECOND));
    reads.ended(20 * SECOND);
    reads.began(Fault.CLOCK_JUMP, 21 * SECOND);
    assertEquals(Optional.of(Fault.NAMENODE_RESTART), reads.failed(45 * SECOND, 46 * SECOND));
    reads.ended(50 * SECOND);
    assertEquals(Optional.empty(), reads.failed(51 * SECOND, 52 * SECOND), "a clock explains none");
    reads.began(Fault.DELETE, 53 * SECOND);
    assertEquals(Optional.of(Fault.DELETE), reads.failed(53 * SECOND, 54 * SECOND));
    assertEquals(Map.of(Fault.NAMENODE_RESTART, 2, Fault.DELETE, 1), reads.counts());
  }
}
