// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.observe.PathHashes;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RenameLogTest {

  private static final long SEED = Long.getLong("test.seed", 0);
  private static final PathHashes PATH = PathHashes.of(1, "/w/t");

  @Test
  void holdsWhatTwoSortedMapsHold() {
    for (long seed = SEED; seed < SEED + 200; seed++) {
      check(new SplittableRandom(seed), "seed " + seed);
    }
  }

  private static void check(SplittableRandom random, String message) {
    RenameLog journal = new RenameLog();
    TreeMap<Long, RenameEntry> lasting = new TreeMap<>();
    TreeMap<Long, RenameEntry> deletions = new TreeMap<>();
    int most = 1 + random.nextInt(60);
    for (long number = 1; number < 400; number += 1 + random.nextInt(3)) {
      boolean lasts = random.nextBoolean();
      RenameEntry entry = RenameEntry.gone(number, 0, PATH);
      journal.add(entry, lasts);
      (lasts ? lasting : deletions).put(number, entry);
      long some = 1 + random.nextLong(number);
      RenameEntry promoted = deletions.remove(some);
      assertEquals(promoted != null, journal.promote(some), message);
      if (promoted != null) {
        lasting.put(some, promoted);
      }
      Map.Entry<Long, RenameEntry> dropped = lasting.ceilingEntry(some);
      if (dropped != null && random.nextInt(3) == 0) {
        lasting.remove(dropped.getKey());
        journal.drop(dropped.getKey());
      }
      drop(journal, lasting, true, most);
      drop(journal, deletions, false, most / 2);
      TreeMap<Long, RenameEntry> all = new TreeMap<>(lasting);
      all.putAll(deletions);
      assertEquals(all.size(), journal.size(), message);
      assertEquals(value(all.ceilingEntry(some)), journal.from(some), message);
      assertArrayEquals(lasting.values().toArray(), journal.of(true), message);
      assertArrayEquals(deletions.values().toArray(), journal.of(false), message);
    }
  }

  /** Drops the oldest beyond a number. */
  private static void drop(
      RenameLog journal, TreeMap<Long, RenameEntry> expected, boolean last, int most) {
    assertEquals(value(expected.firstEntry()), journal.first(last));
    while (journal.size(last) > most) {
      assertEquals(expected.pollFirstEntry().getValue(), journal.first(last));
      journal.drop(journal.first(last).number());
    }
    assertEquals(expected.size(), journal.size(last));
  }

  private static RenameEntry value(Map.Entry<Long, RenameEntry> entry) {
    return entry == null ? null : entry.getValue();
  }
}
