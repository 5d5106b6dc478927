// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PathSetTest {

  @Test
  void hasWhatIsNamedAndAllBelowIt() {
    PathSet set = new PathSet(List.of("/data/raw", "/tmp/*/keep", "/logs/**"));

    assertTrue(set.contains("/data/raw"));
    assertTrue(set.contains("/data/raw/a/b"));
    assertFalse(set.contains("/data/raw2"));
    assertFalse(set.contains("/data"));
    assertTrue(set.contains("/tmp/x/keep/f"));
    assertFalse(set.contains("/tmp/x/y/keep"));
    assertTrue(set.contains("/logs/2026/a.log"));
    assertFalse(new PathSet(List.of()).contains("/data/raw"));
  }
}
