// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MemberNameTest {

  @Test
  void isWhatItWasWrittenAs() {
    for (MemberName name :
        new MemberName[] {
          new MemberName("/a/b", 0),
          new MemberName("/a/blk_7", 0),
          new MemberName("/a/b c#d", 1_073_741_825),
          new MemberName("/.reserved/.inodes/16387", 5)
        }) {
      assertEquals(name, MemberName.of(name.toString()));
    }
    assertEquals("/a/b:blk_7", new MemberName("/a/b", 7).toString());
    assertTrue(MemberName.of("/a/b").isWhole());
  }
}
