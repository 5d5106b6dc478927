// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedirectTableTest {

  private static final String POOL = "BP-1";

  private static GroupFile.Member member(long block, long stamp, long length, long offset) {
    return new GroupFile.Member(16_400 + block, block, stamp, length, offset, 7);
  }

  private static GroupFile group(long id, GroupFile.Member... members) {
    List<GroupFile.Member> all = Arrays.asList(members);
    long length = all.stream().mapToLong(GroupFile.Member::length).sum();
    return new GroupFile(id, "/groups/group-" + id, length, "local", "random_small", all);
  }

  private static RedirectTable table() {
    return RedirectTable.of(
        POOL,
        Arrays.asList(
            group(1, member(30, 1_003, 300, 0), member(10, 1_001, 100, 300)),
            group(2, member(20, 1_002, 200, 0))));
  }

  @Test
  void aCopyIsOfOneBlockOfOneStampAndLengthInOnePool() throws IOException {
    for (RedirectTable table : Arrays.asList(table(), RedirectTable.read(table().toBytes()))) {
      RedirectTable.Found found = table.find(POOL, 10, 1_001, 100);
      assertEquals(1, found.group().id());
      assertEquals(300, found.member().offset());
      assertEquals(2, table.find(POOL, 20, 1_002, 200).group().id());

      assertNull(table.find("BP-2", 10, 1_001, 100), "of another pool");
      assertNull(table.find(POOL, 11, 1_001, 100), "of another block, between two");
      assertNull(table.find(POOL, 9, 1_001, 100), "of another block, before all");
      assertNull(table.find(POOL, 31, 1_003, 300), "of another block, behind all");
      assertNull(table.find(POOL, 10, 1_002, 100), "appended to, or overwritten in place");
      assertNull(table.find(POOL, 10, 1_001, 99), "being truncated");
      assertNull(table.find(POOL, 10, 1_001, 101), "being written");
      assertNull(RedirectTable.empty().find(POOL, 10, 1_001, 100));
    }
  }

  @Test
  void whatIsDamagedIsNotRead() {
    byte[] good = table().toBytes();
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      assertThrows(IOException.class, () -> RedirectTable.read(bad), "byte " + i);
    }
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThrows(IOException.class, () -> RedirectTable.read(cut), length + " bytes");
    }
  }

  @Test
  void anOriginalHasOneCopy() {
    List<GroupFile> twice =
        Arrays.asList(group(1, member(10, 1_001, 100, 0)), group(2, member(10, 1_001, 100, 0)));
    assertThrows(IllegalArgumentException.class, () -> RedirectTable.of(POOL, twice));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new GroupFile(
                1,
                "/groups/group-1",
                99,
                "local",
                "random_small",
                Collections.singletonList(member(10, 1_001, 100, 0))),
        "a member beyond its file");
  }
}
