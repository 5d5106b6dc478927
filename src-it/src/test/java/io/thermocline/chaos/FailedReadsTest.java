// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailedReadsTest {

  private static final long SECOND = 1_000_000_000L;

  private final FailedReads reads = new FailedReads();

  @Test
  void aReadFailsForTheLastFaultThatTakesFilesAwayWhileItRan() {
    reads.began(Fault.NAMENODE_RESTART, 1, 10 * SECOND);
    assertEquals(Optional.empty(), reads.failed(2, 8 * SECOND, 9 * SECOND), "before");
    assertEquals(Optional.of(Fault.NAMENODE_RESTART), reads.failed(2, 9 * SECOND, 11 * SECOND));
    reads.ended(20 * SECOND);
    reads.began(Fault.CLOCK_JUMP, 2, 21 * SECOND);
    assertEquals(Optional.of(Fault.NAMENODE_RESTART), reads.failed(2, 45 * SECOND, 46 * SECOND));
    reads.ended(50 * SECOND);
    assertEquals(
        Optional.empty(), reads.failed(2, 51 * SECOND, 52 * SECOND), "a clock explains none");
    assertEquals(
        Map.of(Fault.NAMENODE_RESTART, 2, Fault.DATANODE_KILL, 0, Fault.RENAME, 0, Fault.DELETE, 0),
        reads.counts());
  }

  @Test
  void anotherNameNodeThatTakesOverExplainsNone() {
    for (Fault fault : List.of(Fault.NAMENODE_FAILOVER, Fault.NAMENODE_LOSS)) {
      reads.began(fault, 1, 10 * SECOND);
      assertEquals(Optional.empty(), reads.failed(1, 9 * SECOND, 11 * SECOND), fault::toString);
      reads.ended(11 * SECOND);
    }
  }

  @Test
  void whatBefallsOneFileExplainsNoReadOfAnother() {
    reads.began(Fault.DELETE, 1, 10 * SECOND);
    assertEquals(Optional.of(Fault.DELETE), reads.failed(1, 9 * SECOND, 11 * SECOND));
    assertEquals(Optional.empty(), reads.failed(2, 9 * SECOND, 11 * SECOND), "another file");
    reads.ended(12 * SECOND);
    reads.began(Fault.RENAME, 2, 12 * SECOND);
    reads.ended(12 * SECOND);
    assertEquals(
        Optional.of(Fault.DELETE), reads.failed(1, 13 * SECOND, 40 * SECOND), "right then");
    assertEquals(Optional.of(Fault.RENAME), reads.failed(2, 13 * SECOND, 40 * SECOND));
    assertEquals(Optional.empty(), reads.failed(1, 14 * SECOND, 40 * SECOND), "long gone");
    assertEquals(2, reads.counts().get(Fault.DELETE));
  }
}
