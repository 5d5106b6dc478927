// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilePatternTest {

  private static final long SINCE = 1_000;
  private static final long END = 60_000;

  private static Profile profile(long reads, long writes, long rewrites, long read, long ordered) {
    return new Profile("/a", reads, 0, SINCE, reads, writes, rewrites, read, 0, ordered, List.of());
  }

  private static FilePattern of(Profile profile) {
    return FilePattern.of(new FileView("/a", 100, 3, 0, List.of()), profile, END);
  }

  @Test
  void ordersAreOfReadsAndWritesApart() {
    assertEquals(List.of("active", "sequential"), of(profile(5, 0, 0, 100, 80)).names());
    assertEquals(List.of("active", "random", "random-read"), of(profile(5, 0, 0, 100, 20)).names());
    assertEquals(List.of("active", "sequential-write"), of(profile(0, 2, 0, 0, 0)).names());
    // Made anew, and so in sequence: what was read at random is something else.
    assertEquals(
        List.of("active", "sequential", "overwritten"), of(profile(2, 9, 8, 100, 100)).names());
  }

  @Test
  void oneAccessIsNoActivity() {
    assertEquals(List.of("inactive", "sequential"), of(profile(1, 0, 0, 100, 100)).names());
    assertEquals(List.of("non-access"), of(profile(0, 0, 0, 0, 0)).names());
  }

  @Test
  void orderThatNobodyToldIsLeftOut() {
    Profile opened = profile(5, 0, 0, 0, 0);

    assertEquals(new FilePattern(List.of("active"), false), of(opened));
    assertEquals(
        "accessed as active: 5 reads and 0 writes since 1970-01-01T00:00:01Z;"
            + " no source tells whether reads are in sequence",
        of(opened).words(opened));
  }

  @Test
  void anEmptyFileHasNone() {
    FileView empty = new FileView("/a", 0, 3, 0, List.of());

    assertEquals(List.of(), FilePattern.of(empty, profile(5, 0, 0, 0, 0), END).names());
  }
}
