// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import org.junit.jupiter.api.Test;

class ReadDirectoriesTest {

  private static final long START = PathKey.nameservice(Told.NAMESERVICE);
  private static final long GENERATION = RenameHistory.IN_FORCE_STEPS;

  private ReadDirectories directories = new ReadDirectories(1_000, 100);

  private static PathHashes path(String path) {
    return PathHashes.of(START, path);
  }

  private boolean has(String path) {
    return directories.contains(path(path).key());
  }

  @Test
  void entersAllDirectoriesAboveAFileOrADirectoryWithThem() {
    directories.addAbove(path("/a/b/f"));
    assertTrue(has("/a") && has("/a/b"));
    assertFalse(has("/a/b/f"));
    directories.add(path("/c/d"));
    assertTrue(has("/c") && has("/c/d"));
    assertFalse(has("/c/d/e"));
  }

  @Test
  void forgetsAfterTwoGenerations() {
    directories.addAbove(path("/old/f"));
    directories.coolTo(100 + GENERATION - 1);
    directories.addAbove(path("/old2/f"));
    directories.coolTo(100 + GENERATION);
    directories.addAbove(path("/new/f"));
    assertTrue(has("/old") && has("/old2") && has("/new"));
    directories.coolTo(100 + 2 * GENERATION - 1);
    assertTrue(has("/old") && has("/old2") && has("/new"));
    directories.coolTo(100 + 2 * GENERATION);
    assertFalse(has("/old") || has("/old2"));
    assertTrue(has("/new"));
    directories.coolTo(100 + 3 * GENERATION);
    assertFalse(has("/new"));
  }

  @Test
  void oneReadIn32IsSampledAndTheSameAfterARestart() {
    int sampled = 0;
    for (int i = 0; i < 32_000; i++) {
      sampled += directories.samples() ? 1 : 0;
    }
    // Five standard deviations of 31.
    assertEquals(1_000, sampled, 156);

    directories.addAbove(path("/old/f"));
    directories.coolTo(100 + GENERATION);
    directories.addAbove(path("/new/f"));
    SavedNumbers numbers = new SavedNumbers();
    directories.freeze().writeTo(numbers);
    ReadDirectories before = directories;
    directories = ReadDirectories.restore(numbers.source());
    for (int i = 0; i < 1_000; i++) {
      assertEquals(before.samples(), directories.samples());
    }
    assertTrue(has("/old") && has("/new"));
    directories.coolTo(100 + 2 * GENERATION - 1);
    assertTrue(has("/old"));
    directories.coolTo(100 + 2 * GENERATION);
    assertFalse(has("/old"));
    assertTrue(has("/new"));
  }
}
