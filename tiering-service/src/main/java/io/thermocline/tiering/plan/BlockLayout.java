// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadShares;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Where the replicas of one block lie while its moves are planned, and the rules that hold at
 * every step: never two on one node, never fewer racks than before, never a storage without
 * room. Of an erasure-coded file, the internal blocks of a group count together as replicas do.
 */
final class BlockLayout {

  /** Percent of a block's reads, for which a storage may get fuller than others. */
  private static final long CLEARLY = 10;

  private final FileView file;
  private final FileView.Block block;
  private final Room room;
  private final NumberLines lines;
  private final ReadShares reads;
  private final String idPrefix;
  private final List<FileView.Replica> replicas;

  /** Of a replicated file, the same replicas. */
  private final BlockGroup group;

  private String obstacle = "";

  /**
   * @param group that the block is of, which its moves are noted in
   */
  BlockLayout(
      FileView file,
      FileView.Block block,
      BlockGroup group,
      Room room,
      NumberLines lines,
      ReadShares reads,
      String idPrefix) {
    this.file = file;
    this.block = block;
    this.room = room;
    this.lines = lines;
    this.reads = reads;
    this.idPrefix = idPrefix;
    // The NameNode lists replicas in an order drawn anew for each call.
    this.replicas = new ArrayList<>(block.replicas());
    this.replicas.sort(
        Comparator.comparing(FileView.Replica::type)
            .reversed()
            .thenComparing(FileView.Replica::node));
    this.group = group;
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

  /**
   * Plans copies to emptier storages of the same type where they have their homes. For each, the copy goes
   * whose storage is the fullest with all that the plan has moved so far, of those that can.
   */
  void settle(NewNodes nodes, List<Move> moves) {
    if (replicas.size() != file.replication()) {
      return;
    }
    List<String> homes = nodes.homes(block);
    for (String home : homes) {
      if (nodes.isMissing(home, block)) {
        ClusterView.Storage target = room.storage(home);
        replicas.stream()
            .filter(source -> source.type() == target.type() && !homes.contains(source.storageId()))
            .filter(source -> fits(source, target) && room.isBalanced(target))
            .filter(
                source ->
                    !room.isExcluded(source.node()) && room.storage(source.storageId()) != null)
            .max(
                Comparator.comparingDouble(
                    source -> room.fullnessAfterwards(room.storage(source.storageId()))))
            .ifPresent(source -> move(source, home, target.type(), moves));
      }
    }
  }

  /**
   * Any of the copies on that type will do. First one that has the other type on its own node:
   * nothing goes over the network then, and HDFS never shows a copy too many. Of several, going up, the one that
   * would serve the most reads; going down from a fast type the one that serves the fewest, as one that stays there
   * still serves its own. Else the first of them whose leaving keeps the racks. A storage that is fuller than
   * others takes a copy only where that brings clearly more reads than any other place.
   */
  private boolean shift(Target.Shift shift, List<Move> moves) {
    List<FileView.Replica> sources = sources(shift);
    if (sources.isEmpty()) {
      obstacle =
          "all copies of block "
              + block.id()
              + " on "
              + shift.from()
              + " are on excluded DataNodes (act.exclude)";
      return false;
    }
    Place balanced =
        nearest(sources, shift.to(), storage -> group.isCoded() || room.isBalanced(storage));
    Place any = nearest(sources, shift.to(), storage -> true);
    if (any != null
        && any.gain
            > (balanced == null ? gainAtHome(sources, shift.to()) : balanced.gain) + CLEARLY) {
      move(any.source, any.storage.id(), shift.to(), moves);
      return true;
    }
    if (balanced != null) {
      move(balanced.source, balanced.storage.id(), shift.to(), moves);
      return true;
    }
    for (FileView.Replica source : sources) {
      if (move(source, home(source, shift.to()), shift.to(), moves)) {
        return true;
      }
    }
    return false;
  }

  /** The copies that may go; where one goes down from a fast type, the one that readers miss least first. */
  private List<FileView.Replica> sources(Target.Shift shift) {
    List<FileView.Replica> sources =
        new ArrayList<>(
            replicas.stream()
                .filter(each -> each.type() == shift.from() && !room.isExcluded(each.node()))
                .toList());
    if (isDown(shift.from(), shift.to()) && sources.size() > 1) {
      Map<FileView.Replica, Long> gain = new HashMap<>();
      sources.forEach(each -> gain.put(each, gainPercent(each, each.node(), shift.to())));
      sources.sort(Comparator.comparing(gain::get).reversed());
    }
    return sources;
  }

  private static boolean isDown(StorageType from, StorageType to) {
    return from.isFast() && to.compareTo(from) < 0;
  }

  /**
   * A copy and a storage on its own node.
   *
   * @param gain as {@link ReadShares#gainOfMove}, in percent
   */
  private record Place(FileView.Replica source, ClusterView.Storage storage, long gain) {}

  /** The one that is worth the most, of equal ones the emptiest; null where no node has the type with room. */
  private Place nearest(
      List<FileView.Replica> sources, StorageType type, Predicate<ClusterView.Storage> accepts) {
    Place best = null;
    for (FileView.Replica source : sources) {
      ClusterView.Storage near =
          room.storages(source.node(), type).stream()
              .filter(storage -> fits(source, storage))
              .filter(accepts)
              .min(Comparator.comparingDouble(room::fullness))
              .orElse(null);
      if (near == null) {
        continue;
      }
      long gain = gainPercent(source, source.node(), type);
      if (best == null
          || gain > best.gain
          || gain == best.gain && room.fullness(near) < room.fullness(best.storage)) {
        best = new Place(source, near, gain);
      }
    }
    return best;
  }

  /** What the first copy is worth that can go to its home. */
  private long gainAtHome(List<FileView.Replica> sources, StorageType type) {
    for (FileView.Replica source : sources) {
      String home = home(source, type);
      if (home != null) {
        return gainPercent(source, room.storage(home).node(), type);
      }
    }
    return 0;
  }

  /** 0 where it makes no read faster or slower. */
  private long gainPercent(FileView.Replica source, String node, StorageType to) {
    boolean isUp = to.isFast() && to.compareTo(source.type()) > 0;
    return (isUp || isDown(source.type(), to)) && !group.isCoded()
        ? Math.round(100 * reads.gainOfMove(source, node, to, replicas))
        : 0;
  }

  private boolean move(FileView.Replica source, String home, StorageType type, List<Move> moves) {
    if (home == null) {
      obstacle =
          "no "
              + type
              + " storage has room for block "
              + block.id()
              + " ("
              + block.length()
              + " bytes) without two replicas on a node or fewer racks"
              + (room.wornOut(type) == 0
                  ? ""
                  : ", with none to the " + room.wornOut(type) + " storages past their tbw")
              + (room.slow() == 0 ? "" : ", with none to the " + room.slow() + " slow DataNodes")
              + (room.excluded() == 0
                  ? ""
                  : ", with none to the " + room.excluded() + " excluded DataNodes (act.exclude)");
      return false;
    }
    ClusterView.Storage target = room.storage(home);
    Move move =
        new Move(
            idPrefix + "." + moves.size(), file.path(), block, source, target.node(), home, type);
    room.reserve(move);
    moves.add(move);
    FileView.Replica moved = new FileView.Replica(target.node(), home, type);
    replicas.remove(source);
    replicas.add(moved);
    group.moved(source, moved);
    return true;
  }

  /**
   * The block's SUORA home on a type, or the next in its sequence that may take it; null where
   * none may.
   */
  private String home(FileView.Replica source, StorageType type) {
    return lines.home(type, block.id(), storage -> fits(source, room.storage(storage)));
  }

  private boolean fits(FileView.Replica source, ClusterView.Storage target) {
    if (target == null || !room.has(target, block.length())) {
      return false;
    }
    return !group.occupies(source, target.node())
        && racks(source, target.node()).size() >= racks(null, null).size()
        && (!group.isCoded() || fullest(source, target.node()) <= fullest(null, null));
  }

  /**
   * Of a group no rack may hold more than the fullest does: how many racks can be lost depends
   * on it.
   */
  private int fullest(FileView.Replica without, String with) {
    return Collections.max(racks(without, with).values());
  }

  /**
   * Racks that hold copies, and how many, with {@code without} gone and one on {@code with}
   * added.
   */
  private Map<String, Integer> racks(FileView.Replica without, String with) {
    Map<String, Integer> racks = new HashMap<>();
    for (FileView.Replica replica : group.replicas()) {
      if (replica != without) {
        racks.merge(room.rack(replica.node()), 1, Integer::sum);
      }
    }
    if (with != null) {
      racks.merge(room.rack(with), 1, Integer::sum);
    }
    return racks;
  }
}
