// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a redirect table may still take: of each block one copy, and no more than clients read. Not thread-safe. */
final class TableRoom {

  private final Map<Long, Long> groupOfBlock = new HashMap<>();
  private final long most;
  private long bytes = RedirectTable.empty().toBytes().length;

  /**
   * @param most bytes of the table
   */
  TableRoom(long most) {
    this.most = most;
  }

  /** Why it may not be in the table with what was taken before; empty where it may. */
  Optional<String> objection(GroupFile group) {
    for (GroupFile.Member member : group.members()) {
      Long other = groupOfBlock.get(member.blockId());
      if (other != null) {
        return Optional.of(
            "blk_" + member.blockId() + " has a copy in group " + other + " already");
      }
    }
    long all = bytes + bytesOf(group);
    return all > most
        ? Optional.of(
            "the redirect table would have "
                + all
                + " bytes, and clients read "
                + most
                + " at most")
        : Optional.empty();
  }

  /** It is in the table. */
  void take(GroupFile group) {
    bytes += bytesOf(group);
    group.members().forEach(member -> groupOfBlock.put(member.blockId(), group.id()));
  }

  /** Some more than it takes. */
  private static long bytesOf(GroupFile group) {
    return RedirectTable.of("", List.of(group)).toBytes().length;
  }
}
