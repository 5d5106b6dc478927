// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeyFilterTest {

  private static final int KEYS = 10_000;

  private static long key(int number) {
    return Mix.of(number * Mix.GAMMA);
  }

  private static KeyFilter filled() {
    KeyFilter filter = new KeyFilter(KEYS);
    for (int i = 0; i < KEYS; i++) {
      filter.add(key(i / 4), key(i));
    }
    return filter;
  }

  @Test
  void errsByYesOnlyAndSeldom() {
    KeyFilter filter = filled();
    int wrong = 0;
    for (int i = 0; i < KEYS; i++) {
      assertTrue(filter.mayContain(key(i / 4), key(i)), "key " + i);
      wrong += filter.mayContain(key((KEYS + i) / 4), key(KEYS + i)) ? 1 : 0;
    }
    assertTrue(wrong > 0 && wrong < 0.01 * KEYS, wrong + " of " + KEYS);
    filter.clear();
    for (int i = 0; i < KEYS; i++) {
      assertFalse(filter.mayContain(key(i / 4), key(i)));
    }
  }

  @Test
  void goesOnFromWhatWasSaved() {
    SavedNumbers numbers = new SavedNumbers();
    filled().freeze().writeTo(numbers);
    // 16 bits a key, in whole lines of eight words.
    assertEquals(1 + 8 * (1 + KEYS * 16 / 64 / 8), numbers.all().size());
    KeyFilter restored = KeyFilter.restore(numbers.source());
    for (int i = 0; i < KEYS; i++) {
      assertTrue(restored.mayContain(key(i / 4), key(i)));
    }
    SavedNumbers again = new SavedNumbers();
    restored.freeze().writeTo(again);
    assertEquals(numbers.all(), again.all());
    for (long words : List.of(0L, 12L)) {
      SavedNumbers damaged = new SavedNumbers();
      damaged.number(words);
      assertThrows(IllegalStateException.class, () -> KeyFilter.restore(damaged.source()));
    }
  }
}
