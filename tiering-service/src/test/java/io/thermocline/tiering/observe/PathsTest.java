// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathsTest {

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a, true, true",
    "/a/b/c, /a/, true, true",
    "/a, /, true, true",
    "/a, /a, false, true",
    "/, /, false, true",
    "/ab, /a, false, false",
    "/a, /a/, false, false",
    "/a, /a/b, false, false",
    "/b/a, /a, false, false"
  })
  void areBelowByWholeNames(String path, String directory, boolean below, boolean atOrBelow) {
    assertEquals(below, Paths.isBelow(path, directory));
    assertEquals(atOrBelow, Paths.isAtOrBelow(path, directory));
  }

  @Test
  void oneOfSeveralIsEnough() {
    assertTrue(Paths.isAtOrBelowAny("/b/c", List.of("/a", "/b")));
    assertFalse(Paths.isAtOrBelowAny("/b", List.of("/a", "/bc")));
    assertFalse(Paths.isAtOrBelowAny("/b", List.of()));
  }

  @Test
  void ofPathsInOrderThoseAtOrBelowAreFound() {
    NavigableMap<String, Integer> paths = new TreeMap<>();
    for (String path :
        List.of("/", "/a", "/a!", "/a/b", "/a/b/c", "/a/\uffff", "/a0", "/ab", "/b")) {
      paths.put(path, 0);
    }
    for (String directory : List.of("/", "/a", "/a/", "/a/b", "/a/b/c", "/c")) {
      assertEquals(
          paths.keySet().stream().filter(path -> Paths.isAtOrBelow(path, directory)).toList(),
          Paths.atOrBelow(paths, directory),
          directory);
    }
  }
}
