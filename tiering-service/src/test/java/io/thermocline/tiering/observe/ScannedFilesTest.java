// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.ScannedFiles.Known;
import org.junit.jupiter.api.Test;

class ScannedFilesTest {

  private static final long HOUR = 3_600_000;
  private static final long NOW = 1_795_000_000_000L;

  private static long key(int i) {
    return ByteHash.mix(i);
  }

  @Test
  void knowsEachFileForATime() {
    ScannedFiles files = new ScannedFiles(18 * HOUR);
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      assertEquals(Known.NOTHING, files.read(key(i), NOW));
    }
    for (int i = 0; i < count; i++) {
      assertEquals(Known.UNCOUNTED, files.of(key(i), NOW + 17 * HOUR));
      assertEquals(Known.UNCOUNTED, files.read(key(i), NOW + 17 * HOUR));
      assertTrue(Math.abs(files.foundMillis() - NOW) < 8_000);
      assertEquals(Known.COUNTED, files.of(key(i), NOW + 34 * HOUR));
      assertEquals(Known.NOTHING, files.of(key(i), NOW + 36 * HOUR));
    }
    assertEquals(0, files.forgotten());
  }

  @Test
  void ofTooManyAPartIsForgotten() {
    ScannedFiles files = new ScannedFiles(18 * HOUR);
    int count = 2_000_000;
    for (int pass = 0; pass < 2; pass++) {
      int known = 0;
      for (int i = 0; i < count; i++) {
        known += files.read(key(i), NOW + pass) == Known.NOTHING ? 0 : 1;
      }
      assertTrue(pass == 0 ? known < 10 : known > count / 20, pass + ": " + known);
    }
    assertTrue(files.forgotten() > count / 2);
  }
}
