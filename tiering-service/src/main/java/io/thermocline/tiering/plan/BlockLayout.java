// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where the replicas of one block lie while its moves are planned, and the rules that hold at every
 * step: never two on one node, never fewer racks than before, never a storage without room.
 */
final class BlockLayout {

  private final FileView file;
  private final FileView.Block block;
  private final Room room;
  private final NumberLines lines;
  private final String idPrefix;
  private final List<FileView.Replica> replicas;
  private String obstacle = "";

  BlockLayout(FileView file, FileView.Block block, Room room, NumberLines lines, String idPrefix) {
    this.file = file;
    this.block = block;
    this.room = room;
    this.lines = lines;
    this.idPrefix = idPrefix;
    // The NameNode lists replicas in an order drawn anew for each call.
    this.replicas = new ArrayList<>(block.replicas());
    this.replicas.sort(
        Comparator.comparing(FileView.Replica::type)
            .reversed()
            .thenComparing(FileView.Replica::node));
  }

  /** Why the last attempt found no place. */
  String obstacle() {
    return obstacle;
  }

  /** Plans the block's copies to where the target has them. False where that can't be done. */
  boolean arrange(Target target, List<Move> moves) {
    if (replicas.size() != file.replication()) {
      obstacle =
          "block "
              + block.id()
              + " has "
              + replicas.size()
              + " live replicas of "
              + file.replication();
      return false;
    }
    if (replicas.stream().anyMatch(replica -> !replica.type().isMovable())) {
      obstacle = "block " + block.id() + " has a copy on RAM_DISK, from where HDFS cannot move it";
      return false;
    }
    List<StorageType> types = replicas.stream().map(FileView.Replica::type).toList();
    for (Target.Shift shift : target.shifts(types)) {
      if (!shift(shift, moves)) {
        return false;
      }
    }
    return true;
  }

  /** Any of the copies on that type will do: the first whose leaving keeps the racks. */
  private boolean shift(Target.Shift shift, List<Move> moves) {
    for (FileView.Replica source : List.copyOf(replicas)) {
      if (source.type() == shift.from() && move(source, shift.to(), moves)) {
        return true;
      }
    }
    return false;
  }

  private boolean move(FileView.Replica source, StorageType type, List<Move> moves) {
    String home = lines.home(type, block.id(), storage -> fits(source, room.storage(storage)));
    if (home == null) {
      obstacle =
          "no "
              + type
              + " storage has room for block "
              + block.id()
              + " ("
              + block.length()
              + " bytes) without two replicas on a node or fewer racks";
      return false;
    }
    ClusterView.Storage target = room.storage(home);
    Move move =
        new Move(
            idPrefix + "." + moves.size(), file.path(), block, source, target.node(), home, type);
    room.reserve(move);
    moves.add(move);
    replicas.remove(source);
    replicas.add(new FileView.Replica(target.node(), home, type));
    return true;
  }

  private boolean fits(FileView.Replica source, ClusterView.Storage target) {
    if (target == null || !room.has(target, block.length())) {
      return false;
    }
    boolean occupied =
        replicas.stream()
            .anyMatch(replica -> replica != source && replica.node().equals(target.node()));
    return !occupied && racks(source, target.node()) >= racks(null, null);
  }

  /** Racks that hold a copy, with {@code without} gone and one on {@code with} added. */
  private long racks(FileView.Replica without, String with) {
    List<String> racks = new ArrayList<>();
    for (FileView.Replica replica : replicas) {
      if (replica != without) {
        racks.add(room.rack(replica.node()));
      }
    }
    if (with != null) {
      racks.add(room.rack(with));
    }
    return racks.stream().distinct().count();
  }
}
