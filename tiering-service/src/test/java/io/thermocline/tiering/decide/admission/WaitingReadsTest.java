// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.heat.SavedNumbers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitingReadsTest {

  private static final int MOST = 1 << 12;

  private final WaitingReads waiting = new WaitingReads(MOST);

  @Test
  void takesTheOldestOfWhichTheLengthIsKnown() {
    for (int key = 1; key <= 5; key++) {
      waiting.add(key, 1_000 * key);
    }
    AdmissionModel model = new AdmissionModel(100, 10);
    Map<Long, Long> lengths = Map.of(1L, 7L, 2L, WaitingReads.UNKNOWN, 3L, 7L, 4L, 7L, 5L, 7L);
    assertTrue(waiting.take(4, 3, lengths, model), "one more of those");
    assertEquals(2, model.followed());
    assertFalse(waiting.take(4, 3, lengths, model));
    assertEquals(3, model.followed());
    assertEquals(Set.of(5L), waiting.unknown().keySet());

    AdmissionModel alike = new AdmissionModel(100, 10);
    for (int key : new int[] {1, 3, 4}) {
      alike.read(key, 7, key);
    }
    assertEquals(saved(alike), saved(model));
  }

  private static List<Long> saved(AdmissionModel model) {
    SavedNumbers numbers = new SavedNumbers();
    model.writeTo(numbers);
    return numbers.all();
  }

  @Test
  void timeDoesNotRunBackwards() {
    waiting.add(1, 10);
    waiting.add(2, 5);
    assertEquals(10, waiting.latest());
    assertEquals(List.of(10L, 2L, 1L, 10L, 2L, 10L), saved(waiting));
  }

  @Test
  void takesBackTheNewestThatIsNotOlder() {
    waiting.add(1, 10);
    waiting.add(1, 20);
    waiting.add(2, 30);
    waiting.withdraw(2, 31);
    waiting.withdraw(1, 20);
    assertEquals(List.of(30L, 3L, 1L, 10L, 0L, 20L, 2L, 30L), saved(waiting));
    waiting.withdraw(1, 11);
    waiting.withdraw(1, 10);
    assertEquals(Set.of(2L), waiting.unknown().keySet());
    waiting.withdraw(7, 0);
    assertEquals(Set.of(2L), waiting.unknown().keySet());
  }

  @Test
  void dropsTheOldest() {
    waiting.add(1, 10);
    waiting.add(2, 10);
    waiting.drop(1);
    assertEquals(Set.of(2L), waiting.unknown().keySet());
    waiting.drop(0);
    assertEquals(Set.of(2L), waiting.unknown().keySet());
    assertEquals(2, waiting.end());
  }

  /** It grows when the first of what waits is in the middle of its place. */
  @Test
  void goesOnAfterItGrewAndFromWhatWasSaved() {
    for (int key = 1; key <= 1_500; key++) {
      waiting.add(key, key);
      waiting.drop(key < 600 ? key : 0);
    }
    waiting.withdraw(1_500, 0);
    SavedNumbers numbers = new SavedNumbers();
    waiting.writeTo(numbers);
    WaitingReads restored = WaitingReads.restore(numbers.source(), MOST);
    assertEquals(saved(waiting), saved(restored));
    assertEquals(1_500, restored.latest());
    assertEquals(900, restored.unknown().size());
    assertTrue(restored.unknown().containsKey(600L) && restored.unknown().containsKey(1_499L));
    assertEquals(0, waiting.forgotten());
  }

  private static List<Long> saved(WaitingReads waiting) {
    SavedNumbers numbers = new SavedNumbers();
    waiting.writeTo(numbers);
    return numbers.all();
  }
}
