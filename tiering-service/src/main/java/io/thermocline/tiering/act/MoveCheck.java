// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What must hold of a move's block before its copy and after, in what HDFS shows. */
public final class MoveCheck {

  static final String POLICY_OF_OTHERS = "somebody set its storage policy since the plan";

  private MoveCheck() {}

  /** Where a DataNode stands. */
  @FunctionalInterface
  public interface Racks {
    /**
     * @throws IOException if the DataNode isn't live, or the NameNode doesn't answer
     */
    String of(String node) throws IOException;
  }

  /** Why the move may not be begun as HDFS now shows the file; empty where it may. */
  public static Optional<String> objection(Move move, FileView now, Racks racks)
      throws IOException {
    FileView.Block block = block(move, now);
    if (block == null) {
      return Optional.of("the file changed or went away");
    }
    if (block.replicas().size() != now.replication()) {
      return Optional.of(
          "the block has " + block.replicas().size() + " live replicas of " + now.replication());
    }
    if (!hasSource(move, block)) {
      return Optional.of("the copy isn't any more where it was planned to leave");
    }
    List<FileView.Replica> others = replicas(now, block);
    others.removeIf(replica -> isSource(move, replica));
    if (others.stream().anyMatch(replica -> replica.node().equals(move.targetNode()))) {
      return Optional.of("its target DataNode has another copy of the block");
    }
    Set<String> before = new HashSet<>();
    for (FileView.Replica replica : others) {
      before.add(racks.of(replica.node()));
    }
    Set<String> after = new HashSet<>(before);
    before.add(racks.of(move.source().node()));
    after.add(racks.of(move.targetNode()));
    return after.size() < before.size()
        ? Optional.of("it would leave " + after.size() + " racks of " + before.size())
        : Optional.empty();
  }

  /** Whether somebody set its storage policy since it was planned for; to be asked before we set one ourselves. */
  static boolean isPolicyOfOthers(FileView planned, FileView now) {
    return now.storagePolicy() != planned.storagePolicy();
  }

  /**
   * @throws ChangedSinceException where HDFS doesn't show the file as it was planned for
   */
  public static void requireUnchanged(FileView planned, Optional<FileView> found)
      throws ChangedSinceException {
    FileView now =
        found.orElseThrow(() -> new ChangedSinceException("the file changed or went away"));
    if (isPolicyOfOthers(planned, now)) {
      throw new ChangedSinceException(POLICY_OF_OTHERS);
    }
    if (now.replication() != planned.replication()) {
      throw new ChangedSinceException(
          "somebody made its replication factor " + now.replication() + " since the plan");
    }
    // A plan may be for some blocks of a file alone. One that was written again under its name has
    // others.
    if (!lengths(now).entrySet().containsAll(lengths(planned).entrySet())) {
      throw new ChangedSinceException("the file changed or went away");
    }
  }

  /** Of blocks, by id. */
  private static Map<Long, Long> lengths(FileView file) {
    return file.blocks().stream()
        .collect(Collectors.toMap(FileView.Block::id, FileView.Block::length));
  }

  /** Whether clients are shown the new copy. */
  static boolean isShown(Move move, FileView now) {
    FileView.Block block = block(move, now);
    return block != null && block.replicas().stream().anyMatch(replica -> isTarget(move, replica));
  }

  /**
   * What HDFS doesn't show yet of the move done: the copy there, none here, no copy more or
   * less.
   */
  static Optional<String> missing(Move move, FileView now) {
    FileView.Block block = block(move, now);
    if (block == null || !isShown(move, now)) {
      return Optional.of("the copy isn't shown");
    }
    if (hasSource(move, block)) {
      return Optional.of("the source is still shown");
    }
    if (block.replicas().size() != now.replication()) {
      return Optional.of(
          block.replicas().size() + " copies of " + now.replication() + " are shown");
    }
    long nodes = block.replicas().stream().map(FileView.Replica::node).distinct().count();
    return nodes == block.replicas().size()
        ? Optional.empty()
        : Optional.of("two copies are shown on one DataNode");
  }

  /** Whether the file still has the block that was planned for. */
  static boolean hasBlock(Move move, FileView now) {
    return block(move, now) != null;
  }

  /** How many racks hold the block, or the group that it is of. */
  static int racks(Move move, FileView now, Racks racks) throws IOException {
    FileView.Block block = block(move, now);
    Set<String> found = new HashSet<>();
    for (FileView.Replica replica :
        block == null ? List.<FileView.Replica>of() : replicas(now, block)) {
      found.add(racks.of(replica.node()));
    }
    return found.size();
  }

  private static FileView.Block block(Move move, FileView now) {
    return now.blocks().stream()
        .filter(block -> block.id() == move.block().id())
        .findFirst()
        .orElse(null);
  }

  /** Of the block; where erasure coded, of all internal blocks of its group. */
  private static List<FileView.Replica> replicas(FileView now, FileView.Block of) {
    List<FileView.Replica> replicas = new ArrayList<>();
    for (FileView.Block block : now.blocks()) {
      if (block.id() == of.id() || now.isErasureCoded() && block.group() == of.group()) {
        replicas.addAll(block.replicas());
      }
    }
    return replicas;
  }

  private static boolean hasSource(Move move, FileView.Block block) {
    return block.replicas().stream().anyMatch(replica -> isSource(move, replica));
  }

  private static boolean isSource(Move move, FileView.Replica replica) {
    return replica.node().equals(move.source().node()) && replica.type() == move.source().type();
  }

  private static boolean isTarget(Move move, FileView.Replica replica) {
    return replica.node().equals(move.targetNode()) && replica.type() == move.targetType();
  }
}
