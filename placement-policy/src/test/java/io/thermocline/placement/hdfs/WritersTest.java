// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WritersTest {
  private static final int NODES = 12;

  private final Writers writers =
      Writers.of(new NodeEntry[NODES], ClusterSnapshot.Racks.of(List.of()), null);

  @Test
  void aShareThatChangesByHalfAPercentOfAllBlocksMakesNewPlans() {
    count(1_000_000, 1.0 / NODES);
    assertTrue(writers.haveChanged());
    count(100_000, 1.0 / NODES);
    assertFalse(writers.haveChanged());

    // Of a node with a hundredth of the capacity this is a seventh of its replicas.
    count(500_000, 0.07);
    assertTrue(writers.haveChanged());
    assertEquals(0.079, writers.planned()[0], 0.0005);
  }

  @Test
  void whatChanceMakesOfTheSameWritersMakesNone() {
    count(100_000, 1.0 / NODES);
    assertTrue(writers.haveChanged());
    // Two standard errors of the count.
    count(50_000, 1.0 / NODES + 2 * Math.sqrt(1.0 / NODES / 50_000));
    assertFalse(writers.haveChanged());
  }

  @Test
  void theFirstSharesAreReplacedOnceTheyAreKnownBetter() {
    count(1000, 1.0 / NODES);
    assertTrue(writers.haveChanged());
    int plans = 0;
    for (int i = 0; i < 1000; i++) {
      count(1000, 1.0 / NODES);
      plans += writers.haveChanged() ? 1 : 0;
    }
    assertTrue(plans >= 5 && plans <= 10, "new plans: " + plans);
  }

  @Test
  void fewerThanAThousandBlocksSayNothing() {
    count(900, 1.0 / NODES);
    assertFalse(writers.haveChanged());
    assertTrue(Arrays.stream(writers.planned()).allMatch(share -> share == 0));
  }

  /** Blocks that are all written on nodes: this share of them on the first, the others evenly. */
  private void count(int blocks, double first) {
    int ofTheFirst = (int) Math.round(blocks * first);
    for (int i = 0; i < blocks; i++) {
      writers.countLocal(i < ofTheFirst ? 0 : 1 + i % (NODES - 1));
    }
  }
}
