// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SparseIdsTest {

  /** Dense runs, lone ids, edges of words, blocks and ranges. */
  @Test
  void ranksAreThoseOfASortedSet() {
    long seed = Long.getLong("image.seed", Long.getLong("test.seed", 31));
    System.out.println("image.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    TreeSet<Long> expected = new TreeSet<>();
    SparseIds ids = new SparseIds();
    long at = 16385;
    for (int i = 0; i < 50_000; i++) {
      at += random.nextInt(1000) == 0 ? random.nextInt(10_000_000) : 1 + random.nextInt(3);
      expected.add(at);
    }
    for (long edge = 1 << 16; edge < 1 << 22; edge += 1 << 16) {
      expected.add(edge - 1);
      expected.add(edge);
    }
    expected.forEach(ids::add);
    expected.forEach(ids::add);
    ids.rankable();
    assertEquals(expected.size(), ids.size());
    int rank = 0;
    for (long id : expected) {
      assertEquals(rank++, ids.rank(id));
      if (!expected.contains(id + 1)) {
        assertEquals(-1, ids.rank(id + 1));
      }
    }
    assertEquals(-1, ids.rank(0));
    assertEquals(-1, ids.rank(SparseIds.LARGEST));
  }

  @Test
  void idsBeyondAllNameNodesAreRefused() {
    SparseIds ids = new SparseIds();
    assertThrows(IllegalArgumentException.class, () -> ids.add(-1));
    assertThrows(IllegalArgumentException.class, () -> ids.add(SparseIds.LARGEST + 1));
  }
}
