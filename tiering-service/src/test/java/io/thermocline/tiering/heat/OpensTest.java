// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OpensTest {

  @Test
  void aLoneReaderOpensAFileOnceForEachTenBlocks() {
    int[] blocks = {1, 10, 11, 20, 21};
    int[] opens = {1, 1, 2, 2, 3};
    for (int i = 0; i < blocks.length; i++) {
      assertEquals(opens[i], Opens.byLoneReader(blocks[i]), blocks[i] + " blocks");
    }
  }

  @Test
  void opensOfWhichNoMoreIsKnownAreOneReadAndItsParts() {
    assertEquals(new Opens(0.5, 0, 0, 1, 1), Opens.shared(0.5));
    assertEquals(new Opens(1, 2, 0, 1, 1), Opens.shared(3));
  }

  @Test
  void estimatesHowOftenAllOfAFileWasRead() {
    assertEquals(5, new Opens(3, 2, 1, 1, 1).wholeReads(1), "each open of one block");
    assertEquals(3, new Opens(3, 4, 1, 1, 1).wholeReads(20), "each goes on once");
    assertEquals(2, new Opens(1, 39, 0, 1, 1).wholeReads(20), "forty blocks, shared");
    assertEquals(1, new Opens(1, 39, 20, 1, 1).wholeReads(20), "half of them for places");
  }

  /** Of a file of one block, they open the footer and then the columns. */
  @Test
  void readersOfColumnsOpenAFileTwice() {
    assertEquals(3, new Opens(3, 3, 3, 4, 0.3).wholeReads(1));
    assertEquals(6, new Opens(3, 3, 3, 1, 1).wholeReads(1), "all of the block, again");
    assertEquals(6, new Opens(3, 3, 0, 4, 0.3).wholeReads(1), "by others");
    assertEquals(3, new Opens(3, 3, 3, 4, 0.3).wholeReads(4), "other blocks");
    assertEquals(6, new Opens(3, 3, 3, 0.6, 0.2).wholeReads(1), "the end of a file, again");
  }

  @Test
  void pageCachesLeaveAShareToDisks() {
    assertEquals(1, new Opens(1, 39, 0, 1, 1).ofDisks(1), "not modeled");
    Opens opens = new Opens(1, 39, 0, 1, 1).withPageCaches(0.5, 0.1);
    assertEquals(0.1, opens.ofDisks(1), "all read the same block");
    assertEquals(0.5, opens.ofDisks(40), "each reads another block");
    // Of twenty readers of each of two blocks, as many as there are replicas.
    assertEquals(0.5 * 3 / 20, opens.ofDisks(2), 1e-4);
  }
}
