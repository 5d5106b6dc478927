// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.observe.FileView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Room for more replicas of a file. The NameNode chooses where they go; what is checked here is that there is some place
 * for each, and at the blocks' SUORA homes that is no longer free for moves of the same plan.
 */
final class Replicating {

  private Replicating() {}

  /** Takes the room, or tells why it isn't there; null where it is, or none is needed. */
  static String objection(ActionChange change, Room room, NumberLines lines) {
    if (change.decision().cause() != Decision.Cause.MORE_COPIES) {
      return null;
    }
    int more = change.decision().target().replication() - change.file().replication();
    Map<String, Long> taken = new HashMap<>();
    for (FileView.Block block : change.file().blocks()) {
      Set<String> nodes = new HashSet<>();
      block.replicas().forEach(replica -> nodes.add(replica.node()));
      for (int i = 0; i < more; i++) {
        String home =
            lines.home(StorageType.DISK, block.id(), storage -> fits(room, storage, nodes, block));
        if (home == null) {
          taken.forEach((storage, bytes) -> room.reserve(storage, -bytes));
          return "no DISK storage on a further node has room for block " + block.id();
        }
        nodes.add(room.storage(home).node());
        room.reserve(home, block.length());
        taken.merge(home, block.length(), Long::sum);
      }
    }
    return null;
  }

  private static boolean fits(Room room, String id, Set<String> nodes, FileView.Block block) {
    ClusterView.Storage storage = room.storage(id);
    return storage != null && !nodes.contains(storage.node()) && room.has(storage, block.length());
  }
}
