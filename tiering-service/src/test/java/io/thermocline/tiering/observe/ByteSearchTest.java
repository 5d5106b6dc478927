// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteSearchTest {

  private static final long SEED = Long.getLong("test.seed", 0);

  /** Bytes that differ from a tab, or from each other, by one bit, by the sign or by a carry. */
  private static final byte[] NEAR = {8, 9, 10, 11, 1, 0, -1, (byte) 0x89, (byte) 0x88, 'a'};

  @Test
  void findsTheFirstInAnyRange() {
    for (long seed = SEED; seed < SEED + 50_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[random.nextInt(120)];
      int rare = 1 + random.nextInt(60);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = random.nextInt(rare) == 0 ? NEAR[random.nextInt(NEAR.length)] : (byte) 'x';
      }
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      assertEquals(
          oneByOne(bytes, from, to), ByteSearch.indexOf(bytes, from, to, '\t'), "seed " + seed);
    }
  }

  private static int oneByOne(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\t') {
        return i;
      }
    }
    return -1;
  }
}
