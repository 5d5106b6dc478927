// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import static io.thermocline.tiering.classify.AccessClass.OVERWRITE;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_READ;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_WRITE;
import static io.thermocline.tiering.classify.AccessClass.SEQUENTIAL_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ExtentCounterTest {
  @Test
  void tellsRequestsApartByTheirAddresses() {
    ExtentCounter counter = new ExtentCounter(64 << 20);
    assertEquals(RANDOM_READ, counter.count(false, 1 << 20, 4096));
    assertEquals(SEQUENTIAL_READ, counter.count(false, (1 << 20) + 4096, 4096));
    // Up to 512 KB further on is in sequence; more, or back, isn't.
    assertEquals(SEQUENTIAL_READ, counter.count(false, (1 << 20) + 8192 + (512 << 10), 4096));
    assertEquals(RANDOM_READ, counter.count(false, 1 << 20, 4096));
    assertEquals(RANDOM_READ, counter.count(false, 8 << 20, 4096));
    assertEquals(RANDOM_WRITE, counter.count(true, 32 << 20, 65536));
    assertEquals(OVERWRITE, counter.count(true, (32 << 20) + 4096, 4096));
    // Mostly to where nothing was written yet, and not on from where the one before ended.
    counter.count(false, 8 << 20, 4096);
    assertEquals(RANDOM_WRITE, counter.count(true, (32 << 20) + 61440, 65536));
    // On from one extent into the next.
    counter.count(false, (64 << 20) - 4096, 4096);
    assertEquals(SEQUENTIAL_READ, counter.count(false, 64 << 20, 4096));
    assertEquals(2, counter.accesses().size());
    assertEquals(1, counter.accesses().get(1L).requests());
  }
}
