// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyTableTest {

  private static final long SEED = Long.getLong("test.seed", 0);

  @Test
  void saysWhatAMapSays() {
    for (long seed = SEED; seed < SEED + 100; seed++) {
      Random random = new Random(seed);
      KeyTable<String> table = new KeyTable<>();
      Map<Long, String> expected = new HashMap<>();
      // Few keys for what is there to come back, two of them with a meaning of their own, and all
      // of them near each other.
      int keys = 1 + random.nextInt(200);
      for (int i = 0; i < 2000; i++) {
        long key = random.nextInt(keys);
        // They share theirs with 0 and 1.
        boolean shares = key == 2 || key == 3;
        if (!shares && expected.containsKey(key)) {
          table.remove(key);
          expected.remove(key);
        } else if (!shares) {
          table.put(key, "v" + i);
          expected.put(key, "v" + i);
        }
        long asked = random.nextInt(2 * keys);
        if (asked != 2 && asked != 3) {
          assertEquals(expected.get(asked), table.get(asked), "seed " + seed);
        }
        assertEquals(expected.isEmpty(), table.isEmpty());
      }
      Set<String> seen = new HashSet<>();
      table.forEach(seen::add);
      assertEquals(new HashSet<>(expected.values()), seen, "seed " + seed);
    }
  }

  @Test
  void removesOnlyWhatIsThere() {
    KeyTable<String> table = new KeyTable<>();
    table.put(5, "five");
    assertThrows(IllegalStateException.class, () -> table.remove(6));
  }
}
