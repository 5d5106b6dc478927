// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class NumberedLineTest {

  private static final long SEED = Long.getLong("test.seed", 0);

  @Test
  void saysWhatASortedMapSays() {
    for (long seed = SEED; seed < SEED + 200; seed++) {
      Random random = new Random(seed);
      NumberedLine<String> line = new NumberedLine<>();
      TreeMap<Long, String> expected = new TreeMap<>();
      long next = 1;
      for (int i = 0; i < 300; i++) {
        if (random.nextInt(3) > 0) {
          next += random.nextInt(3);
          line.add(next, "v" + next);
          expected.put(next++, "v" + (next - 1));
        } else {
          long gone = drawn(random, expected, next);
          line.drop(gone);
          expected.remove(gone);
        }
        long before = random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextLong(next + 2);
        Map.Entry<Long, String> last = expected.lowerEntry(before);
        assertEquals(
            last == null ? null : last.getValue(), line.lastBefore(before), "seed " + seed);
        assertEquals(expected.isEmpty(), line.isEmpty());
        assertEquals(expected.isEmpty() ? 0 : expected.lastKey(), line.last());
      }
    }
  }

  /** The first, the last, any, or one that isn't there. */
  private static long drawn(Random random, TreeMap<Long, String> expected, long next) {
    if (expected.isEmpty()) {
      return next;
    }
    List<Long> numbers = new ArrayList<>(expected.keySet());
    return switch (random.nextInt(4)) {
      case 0 -> expected.firstKey();
      case 1 -> expected.lastKey();
      case 2 -> numbers.get(random.nextInt(numbers.size()));
      default -> random.nextLong(next);
    };
  }

  @Test
  void canBeLookedAtWhileItChanges() throws InterruptedException {
    NumberedLine<Long> line = new NumberedLine<>();
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              Random random = new Random(1);
              while (!done.get()) {
                line.lastBefore(random.nextLong(200_000));
                line.lastBefore(Long.MAX_VALUE);
              }
            });
    reader.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
    reader.start();
    for (long number = 1; number <= 200_000; number++) {
      line.add(number, number);
      if (number % 3 == 0) {
        line.drop(number);
      }
      line.drop(number - 50);
    }
    done.set(true);
    reader.join();
    assertNull(failure.get());
    assertEquals(200_000, line.lastBefore(Long.MAX_VALUE));
    assertNull(line.lastBefore(1));
  }
}
