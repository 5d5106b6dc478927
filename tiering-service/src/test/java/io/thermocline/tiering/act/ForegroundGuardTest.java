// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ReadTimes.Reads;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** On a model: what reads take is a function of how many copies run, and at each look 100 were read. */
class ForegroundGuardTest {

  private static final int MOST = 16;
  private static final int ANY = Integer.MAX_VALUE;

  private final ForegroundGuard guard = new ForegroundGuard(1.5);
  private IntToDoubleFunction millis = copies -> 10;
  private long reads;
  private long readsAtATime = 100;
  private long begun;
  private boolean areBeside;
  private int allowed = ANY;
  private String why = "";

  @Test
  void letsCopiesBeWhereReadersDoNotWait() {
    look(0);
    for (int i = 0; i < 20; i++) {
      look(MOST);
      assertEquals(ANY, allowed);
      assertEquals("", why);
    }
  }

  @Test
  void halvesUntilReadersWaitNoLongerThanMayBe() {
    millis = copies -> 10 + copies;
    look(0);
    look(MOST);
    assertEquals(8, allowed);
    assertEquals(
        "reads take 2.6 times as long as without copies (act.throttle.foreground: 1.5): at most 8 at once",
        why);
    look(8);
    assertEquals(4, allowed);
    look(4);
    assertEquals(5, allowed, "one more");
    look(5);
    look(6);
    assertEquals(3, allowed, "1.6 times");
  }

  /** The more readers mind, the fewer copies there are; about as many as they bear. */
  @Test
  void findsAboutAsManyAsReadersBear() {
    for (int bearable : new int[] {2, 4, 8}) {
      ForegroundGuardTest each = new ForegroundGuardTest();
      each.millis = copies -> copies <= bearable ? 11 : 30;
      each.look(0);
      double sum = 0;
      for (int i = 0; i < 400; i++) {
        each.look(Math.min(MOST, each.allowed));
        sum += Math.min(MOST, each.allowed);
      }
      double mean = sum / 400;
      assertTrue(mean > 0.6 * bearable && mean <= bearable + 1, bearable + ": " + mean);
    }
  }

  @Test
  void restsLongerEachTimeWhereASingleCopyIsTooMany() {
    millis = copies -> copies > 0 ? 40 : 10;
    look(0);
    look(1);
    assertTrue(why.endsWith("none for a while"), why);
    assertEquals(2, looksAtRest());
    assertEquals(1, allowed, "tries one");
    look(1);
    assertEquals(5, looksAtRest());
    for (int i = 0; i < 8; i++) {
      look(1);
      looksAtRest();
    }
    look(1);
    assertEquals(47, looksAtRest(), "but never longer than that");
  }

  /** They became slower by themselves: that is known after some rests, and copies go on. */
  @Test
  void isNotHeldBackForGoodByWhatIsNotOfItsMaking() {
    for (int i = 0; i < 20; i++) {
      look(0);
    }
    millis = copies -> 60;
    int looks = 0;
    while ((allowed < MOST) || looks == 0) {
      look(Math.min(MOST, allowed));
      looks++;
      assertTrue(looks < 100, "looks until as many as may be: " + looks);
    }
    look(MOST);
    assertEquals("", why);
  }

  @Test
  void goesOnWhereNobodyReads() {
    millis = copies -> 10 + copies;
    look(0);
    look(MOST);
    look(8);
    readsAtATime = 0;
    look(4);
    assertEquals(4, allowed, "once may be too early to tell");
    look(4);
    assertEquals(5, allowed);
  }

  @Test
  void changesNothingUntilEnoughWereReadToTell() {
    millis = copies -> 10 + copies;
    look(0);
    look(MOST);
    readsAtATime = 5;
    for (int i = 0; i < 3; i++) {
      look(8);
      assertEquals(8, allowed);
    }
    look(8);
    assertEquals(4, allowed, "20 reads, in four looks");
    for (int i = 0; i < 3; i++) {
      look(4);
    }
    assertEquals(4, allowed);
    look(4);
    assertEquals(5, allowed, "a trickle of reads keeps copies back no longer than that");
  }

  @Test
  void saysNothingStale() {
    millis = copies -> copies > 0 ? 40 : 10;
    look(0);
    look(1);
    looksAtRest();
    assertTrue(why.startsWith("readers waited for copies"), why);
    for (int i = 0; i < 11; i++) {
      assertEquals(1, allowed);
      look(0);
    }
    assertEquals(ANY, allowed, "nothing was copied for long");
    assertEquals("", why);
    look(1);
    assertEquals(2, looksAtRest(), "as at first");
  }

  @Test
  void takesNothingForQuietWhileGroupsAndActionsCopy() {
    look(0);
    millis = copies -> 40;
    areBeside = true;
    for (int i = 0; i < 20; i++) {
      look(0);
    }
    areBeside = false;
    look(0);
    look(1);
    assertEquals(0, allowed, "what reads take without copies is still 10");
  }

  @Test
  void takesOnlyForQuietWhatIsSurelyNotOfCopies() {
    look(0);
    millis = copies -> 40;
    look(1);
    // The first look after copies: DataNodes may still speak of them.
    assertEquals(0, allowed);
    look(0);
    millis = copies -> copies > 0 ? 40 : 10;
    look(0);
    look(0);
    look(1);
    assertEquals(0, allowed, "what reads take without copies is still 10");
  }

  @Test
  void isOffWithoutAFactor() {
    assertTrue(new ForegroundGuard(Double.POSITIVE_INFINITY).isOff());
    assertFalse(guard.isOff());
  }

  private int looksAtRest() {
    int looks = 0;
    while (allowed == 0) {
      look(0);
      looks++;
    }
    return looks - 1;
  }

  private void look(int copies) {
    begun += copies;
    reads += readsAtATime;
    ForegroundGuard.Verdict verdict =
        guard.look(
            Map.of("n1", new Reads(reads, millis.applyAsDouble(copies))),
            new Throttle(Math.max(1, copies), MOST, 0, 0, copies, copies, begun, ""),
            areBeside);
    allowed = verdict.copies();
    why = verdict.why();
  }
}
