// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReadTimesTest {
  private static final long BEGIN = 1_763_600_000_000L;

  private final ReadTimes times = new ReadTimes();

  @Test
  void tellsReadsBeforeFromReadsAfter() {
    times.add(BEGIN);
    times.add(BEGIN + 1_000);
    times.add(BEGIN + 14_000);

    assertEquals(0, times.shareBefore(BEGIN));
    assertEquals(2 / 3.0, times.shareBefore(BEGIN + 2_000), 1e-9);
    assertEquals(2 / 3.0, times.shareBefore(BEGIN + 14_000), 1e-9);
    assertEquals(1, times.shareBefore(BEGIN + 15_000), 1e-9);
  }

  @Test
  void hasNoShareOfNoReads() {
    assertTrue(Double.isNaN(times.shareBefore(BEGIN)));
  }

  /** Two slots at each end of the time may be half full. */
  @Test
  void isExactToAnEighthOfTheTime() {
    SplittableRandom random = new SplittableRandom(Long.getLong("test.seed", 1));
    for (int round = 0; round < 200; round++) {
      ReadTimes some = new ReadTimes();
      long length = 1 + random.nextLong(100_000_000);
      long[] reads = random.longs(1 + random.nextInt(50), 0, length).sorted().toArray();
      for (long read : reads) {
        some.add(BEGIN + read);
      }
      long at = random.nextLong(length);
      long slot = Math.max(1_000, length / 8);
      assertTrue(some.shareBefore(BEGIN + at) <= share(reads, at + slot) + 1e-9);
      assertTrue(some.shareBefore(BEGIN + at) >= share(reads, at - slot) - 1e-9);
    }
  }

  private static double share(long[] reads, long before) {
    long count = 0;
    for (long read : reads) {
      count += read < before ? 1 : 0;
    }
    return (double) count / reads.length;
  }
}
