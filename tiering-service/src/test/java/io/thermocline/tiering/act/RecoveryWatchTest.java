// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.tiering.act.RecoveryWatch.State.CALM;
import static io.thermocline.tiering.act.RecoveryWatch.State.RECOVERING;
import static io.thermocline.tiering.act.RecoveryWatch.State.STUCK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A look each minute; ten minutes without progress are enough. */
class RecoveryWatchTest {

  private static final int BOUND = 2;

  private final RecoveryWatch watch = new RecoveryWatch(BOUND, Duration.ofMinutes(10));
  private int minute;

  @Test
  void waitsAsLongAsTheNumberFalls() {
    for (int blocks = 200; blocks > BOUND; blocks--) {
      assertEquals(RECOVERING, look(blocks), "of " + blocks);
    }
    assertEquals(CALM, look(BOUND));
  }

  @Test
  void waitsForWhatFallsSlowly() {
    for (int blocks = 50; blocks > BOUND; blocks--) {
      assertLooks(RECOVERING, blocks, 10);
    }
  }

  @Test
  void waitsTenMinutesForWhatDoesNotFall() {
    assertLooks(RECOVERING, 7, 10);
    assertLooks(STUCK, 7, 1000);
  }

  @Test
  void waitsAsLongAfterARise() {
    assertLooks(RECOVERING, 5, 9);
    assertLooks(RECOVERING, 20, 10);
    assertLooks(STUCK, 20, 100);
    assertLooks(STUCK, 21, 100);
  }

  @Test
  void waitsForADataNodeThatIsLostBesideWhatIsStuck() {
    stick(7);
    assertEquals(RECOVERING, look(5007));
    for (int blocks = 5006; blocks >= 7; blocks -= 100) {
      assertEquals(RECOVERING, look(blocks), "of " + blocks);
    }
    assertEquals(RECOVERING, look(7));
    assertLooks(RECOVERING, 7, 9);
    assertLooks(STUCK, 7, 100);
    assertEquals(RECOVERING, look(5007), "the next is one too");
  }

  @Test
  void waitsAgainWhereWhatWasStuckFalls() {
    stick(100);
    assertLooks(STUCK, 99, 10);
    assertEquals(RECOVERING, look(90));
    assertEquals(RECOVERING, look(89));
  }

  /** Its files come and go for ever. */
  @Test
  void waitsNotForJobsWithManyReplicas() {
    int[] blocks = {40, 40, 20, 0, 0, 40, 0, 25, 40, 10, 0, 30};
    int recovering = 0;
    for (int i = 0; i < 100 * blocks.length; i++) {
      recovering += look(blocks[i % blocks.length]) == RECOVERING ? 1 : 0;
    }
    assertEquals(0, recovering / 20, "minutes of a thousand: " + recovering);
  }

  @Test
  void forgetsWhatWasStuckAfterACalmTime() {
    stick(40);
    assertLooks(CALM, BOUND, 10);
    assertEquals(STUCK, look(40), "ten minutes after the first calm look it was calm for nine");
    assertLooks(CALM, 0, 11);
    assertLooks(RECOVERING, 40, 10);
    assertLooks(STUCK, 40, 1);
  }

  private void stick(long blocks) {
    assertLooks(RECOVERING, blocks, 10);
    assertLooks(STUCK, blocks, 1);
  }

  private void assertLooks(RecoveryWatch.State expected, long blocks, int times) {
    for (int i = 0; i < times; i++) {
      assertEquals(expected, look(blocks), blocks + " blocks for " + i + " min");
    }
  }

  private RecoveryWatch.State look(long blocks) {
    return watch.look(blocks, 60_000L * minute++);
  }
}
