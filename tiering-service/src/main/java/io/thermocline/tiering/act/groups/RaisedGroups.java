// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.act.MoveListener;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Groups whose members have one more replica each, all at one place: HDFS makes the replica where its placement policy
 * says, and a directed move brings it to the group's place. By the thread that carries plans out.
 */
public final class RaisedGroups {

  private final HdfsActions hdfs;
  private final LeverActions levers;
  private final ActLimits limits;
  private final PlanExecutor.Machinery machinery;
  private final MoveListener moves;

  /**
   * @param machinery whose copying threads are not needed
   * @param moves is told of each move; one that throws where a copy begins keeps it from beginning
   */
  public RaisedGroups(
      HdfsActions hdfs,
      LeverActions levers,
      ActLimits limits,
      PlanExecutor.Machinery machinery,
      MoveListener moves) {
    this.hdfs = hdfs;
    this.levers = levers;
    this.limits = limits;
    this.machinery = machinery;
    this.moves = moves;
  }

  void raise(String name, GroupChange change, GroupRecord lasting, long plan)
      throws InterruptedException {
    try {
      Map<String, FileView> before = files(change.members());
      Optional<String> other = differs(change.members(), before, 0);
      if (other.isPresent()) {
        lasting.ended(plan, change.group(), "", other.get());
        return;
      }
      for (GroupChange.Member member : change.members()) {
        levers.setReplication(member.path(), member.factor() + 1);
      }
      if (!await(() -> hasReplicas(change.members()))) {
        lasting.ended(
            plan,
            change.group(),
            "",
            "HDFS made no replicas within "
                + limits.verifyWithin().toSeconds()
                + " s"
                + lower(change.members()));
        return;
      }
      List<Move> begun = new ArrayList<>();
      for (Move move : moves(name, change, before)) {
        if (copied(move)) {
          begun.add(move);
        }
      }
      await(() -> isAtItsPlace(begun));
      lasting.shown(change.group(), places(change, begun));
    } catch (IOException e) {
      lasting.ended(plan, change.group(), "", e + lower(change.members()));
    }
  }

  private Map<String, FileView> files(List<GroupChange.Member> members) throws IOException {
    return hdfs.files(members.stream().map(GroupChange.Member::path).toList());
  }

  private static Optional<String> differs(
      List<GroupChange.Member> members, Map<String, FileView> now, int more) {
    for (GroupChange.Member member : members) {
      FileView file = now.get(member.path());
      if (file == null) {
        return Optional.of(member.path() + " is gone, renamed, or being written");
      }
      if (file.replication() != member.factor() + more || file.length() != member.bytes()) {
        return Optional.of(
            member.path()
                + " was changed: it has "
                + file.length()
                + " bytes and "
                + file.replication()
                + " replicas");
      }
    }
    return Optional.empty();
  }

  /** Whether a member isn't as it was left, and how. */
  Optional<String> changed(List<GroupChange.Member> members) throws IOException {
    return differs(members, files(members), 1);
  }

  private boolean hasReplicas(List<GroupChange.Member> members) throws IOException {
    Map<String, FileView> now = files(members);
    for (GroupChange.Member member : members) {
      FileView file = now.get(member.path());
      if (file != null
          && file.blocks().stream()
              .anyMatch(block -> block.replicas().size() < member.factor() + 1)) {
        return false;
      }
    }
    return true;
  }

  /** From where HDFS put each new replica to the place; none of a block that has one on that node. */
  private List<Move> moves(String name, GroupChange change, Map<String, FileView> before)
      throws IOException {
    GroupChange.Place place = change.places().get(0);
    List<Move> wanted = new ArrayList<>();
    for (FileView file : files(change.members()).values()) {
      Map<Long, Set<String>> old = new HashMap<>();
      for (FileView.Block block : before.get(file.path()).blocks()) {
        old.put(
            block.id(),
            block.replicas().stream().map(FileView.Replica::node).collect(Collectors.toSet()));
      }
      for (FileView.Block block : file.blocks()) {
        Set<String> nodes = old.getOrDefault(block.id(), Set.of());
        boolean isThere =
            block.replicas().stream().anyMatch(replica -> replica.node().equals(place.node()));
        if (!isThere) {
          block.replicas().stream()
              .filter(replica -> !nodes.contains(replica.node()))
              .findFirst()
              .ifPresent(
                  replica ->
                      wanted.add(
                          new Move(
                              name + "." + wanted.size(),
                              file.path(),
                              block,
                              replica,
                              place.node(),
                              place.storage(),
                              place.type())));
        }
      }
    }
    return wanted;
  }

  private boolean copied(Move move) throws InterruptedException {
    if (!machinery.steering().awaitTurn()) {
      return false;
    }
    moves.changed(move, MoveState.COPYING, "");
    try {
      hdfs.copy(move);
      moves.changed(move, MoveState.COPIED, "");
      return true;
    } catch (IOException e) {
      moves.changed(move, MoveState.FAILED, e.toString());
      return false;
    }
  }

  /** Tells of each that is, and waits no more for it. */
  private boolean isAtItsPlace(List<Move> begun) throws IOException {
    Map<String, FileView> now =
        hdfs.files(begun.stream().map(Move::path).collect(Collectors.toSet()));
    begun.removeIf(
        move -> {
          Set<String> nodes = nodes(now.get(move.path()), move.block().id());
          boolean isDone =
              nodes.contains(move.targetNode()) && !nodes.contains(move.source().node());
          if (isDone) {
            moves.changed(move, MoveState.VERIFIED, "");
          }
          return isDone;
        });
    return begun.isEmpty();
  }

  private static Set<String> nodes(FileView file, long block) {
    return file == null
        ? Set.of()
        : file.blocks().stream()
            .filter(each -> each.id() == block)
            .flatMap(each -> each.replicas().stream())
            .map(FileView.Replica::node)
            .collect(Collectors.toSet());
  }

  /** What is not at the place is said with how many. */
  private List<String> places(GroupChange change, List<Move> late) throws IOException {
    for (Move move : late) {
      moves.changed(
          move, MoveState.FAILED, "not shown within " + limits.verifyWithin().toSeconds() + " s");
    }
    GroupChange.Place place = change.places().get(0);
    long there = 0;
    long all = 0;
    for (FileView file : files(change.members()).values()) {
      for (FileView.Block block : file.blocks()) {
        all++;
        there +=
            block.replicas().stream().anyMatch(each -> each.node().equals(place.node())) ? 1 : 0;
      }
    }
    return List.of(place + (there == all ? "" : " (" + there + " of " + all + " blocks)"));
  }

  /** Waits until HDFS shows it; false where it doesn't in time, or the service ends. */
  private boolean await(Look look) throws IOException, InterruptedException {
    long began = machinery.nanos().getAsLong();
    BooleanSupplier mayWait =
        () ->
            machinery.nanos().getAsLong() - began <= limits.verifyWithin().toNanos()
                && !machinery.steering().isAbandoning();
    while (!look.isSo()) {
      if (!mayWait.getAsBoolean()) {
        return false;
      }
      machinery.pause().pause(limits.verifyEvery());
    }
    return true;
  }

  @FunctionalInterface
  private interface Look {
    boolean isSo() throws IOException;
  }

  /**
   * As many replicas as before, where nobody else has changed that since.
   *
   * @return which could not be lowered, in words; empty where all could
   */
  String lower(List<GroupChange.Member> members) {
    StringBuilder left = new StringBuilder();
    for (GroupChange.Member member : members) {
      try {
        Optional<FileView> now = levers.file(member.path());
        if (now.isPresent() && now.get().replication() == member.factor() + 1) {
          levers.setReplication(member.path(), member.factor());
        }
      } catch (IOException e) {
        left.append("; ").append(member.path()).append(" could not be lowered: ").append(e);
      }
    }
    return left.toString();
  }
}
