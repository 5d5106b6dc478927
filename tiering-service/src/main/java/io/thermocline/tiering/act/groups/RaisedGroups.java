// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.BackEnd;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.MoveListener;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Groups whose members have one more replica each, all at one place: HDFS makes the replica where
 * its placement policy says, and a plan of directed moves, held back by all that holds plans back,
 * brings it to the group's place. By the thread that carries plans out.
 */
public final class RaisedGroups {

  private final HdfsCalls hdfs;
  private final ActionCalls actions;
  private final ActLimits limits;
  private final PlanExecutor.Machinery machinery;
  private final BackEnd mover;
  private final MemberFactors factors;
  private final MoveListener moves;

  /**
   * @param machinery whose clock and control the wait for new replicas goes by; who copies has
   *     its own
   * @param mover of exact replicas to exact storages
   * @param moves is told of each move; one that throws where a copy begins keeps it from beginning
   */
  public RaisedGroups(
      HdfsCalls hdfs,
      ActionCalls actions,
      ActLimits limits,
      PlanExecutor.Machinery machinery,
      BackEnd mover,
      MemberFactors factors,
      MoveListener moves) {
    this.hdfs = hdfs;
    this.actions = actions;
    this.limits = limits;
    this.machinery = machinery;
    this.mover = mover;
    this.factors = factors;
    this.moves = moves;
  }

  void raise(String name, GroupChange change, GroupRecord lasting, long plan)
      throws InterruptedException {
    try {
      Map<String, FileView> before = files(change.members());
      Optional<String> other =
          differs(change.members(), before, 0).or(() -> unsettled(before.values()));
      if (other.isPresent()) {
        lasting.ended(plan, change.group(), "", other.get());
        return;
      }
      for (GroupChange.Member member : change.members()) {
        raise(change.group(), member);
      }
      if (!awaitReplicas(change.members())) {
        lasting.ended(
            plan,
            change.group(),
            "",
            "HDFS made no replicas within "
                + limits.verifyWithin().toSeconds()
                + " s"
                + lower(change.group(), change.members()));
        return;
      }
      Plan copies = new Plan(plan, moves(name, change, before), List.of());
      moves.planned(copies.moves());
      mover.execute(copies, moves);
      lasting.shown(change.group(), places(change));
    } catch (IOException e) {
      lasting.ended(plan, change.group(), "", e + lower(change.group(), change.members()));
    }
  }

  private void raise(long group, GroupChange.Member member) throws IOException {
    int factor = member.factor();
    factors.willReplicate(group, member.path(), factor, factor + 1);
    try {
      actions.setReplication(member.path(), factor + 1, factor);
    } catch (ChangedSinceException e) {
      // It isn't up.
      factors.willReplicate(group, member.path(), factor + 1, factor);
      throw e;
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

  /** One that HDFS is about to delete would pass for the replica that is to be made. */
  private static Optional<String> unsettled(Collection<FileView> files) {
    return files.stream()
        .filter(file -> !file.isSettled())
        .findFirst()
        .map(file -> file.path() + " has blocks with more or fewer replicas than it asks for");
  }

  /** Whether a member isn't as it was left, and how. */
  Optional<String> changed(List<GroupChange.Member> members) throws IOException {
    return differs(members, files(members), 1);
  }

  /** How many replicas HDFS doesn't show yet. */
  private int missing(List<GroupChange.Member> members) throws IOException {
    Map<String, FileView> now = files(members);
    int missing = 0;
    for (GroupChange.Member member : members) {
      FileView file = now.get(member.path());
      if (file != null) {
        for (FileView.Block block : file.blocks()) {
          missing += Math.max(0, member.factor() + 1 - block.replicas().size());
        }
      }
    }
    return missing;
  }

  /** From where HDFS put each new replica to the place; none of a block that has one on that node. */
  private List<Plan.FileMoves> moves(String name, GroupChange change, Map<String, FileView> before)
      throws IOException {
    GroupChange.Place place = change.places().get(0);
    List<Plan.FileMoves> files = new ArrayList<>();
    int number = 0;
    for (FileView file : files(change.members()).values()) {
      Map<Long, Set<String>> old =
          before.get(file.path()).blocks().stream()
              .collect(Collectors.toMap(FileView.Block::id, RaisedGroups::nodes));
      List<Move> moves = new ArrayList<>();
      for (FileView.Block block : file.blocks()) {
        Set<String> nodes = old.getOrDefault(block.id(), Set.of());
        Optional<FileView.Replica> added =
            block.replicas().stream().filter(each -> !nodes.contains(each.node())).findFirst();
        if (added.isPresent() && !nodes(block).contains(place.node())) {
          moves.add(
              new Move(
                  name + "." + number++,
                  file.path(),
                  block,
                  added.get(),
                  place.node(),
                  place.storage(),
                  place.type()));
        }
      }
      if (!moves.isEmpty()) {
        files.add(new Plan.FileMoves(decision(file, change), null, moves));
      }
    }
    return files;
  }

  private static Decision decision(FileView file, GroupChange change) {
    Target target = new Target(file.blocks().get(0).types(), "");
    return new Decision(
        new HotFile(file, 0),
        target.lead(),
        target,
        Decision.Cause.MORE_COPIES,
        change.reason(),
        new Gate.Benefit(Double.NaN, Double.NaN, Double.NaN));
  }

  private static Set<String> nodes(FileView.Block block) {
    return block.replicas().stream().map(FileView.Replica::node).collect(Collectors.toSet());
  }

  /** With how many of its blocks, where not all are there. */
  private List<String> places(GroupChange change) throws IOException {
    GroupChange.Place place = change.places().get(0);
    long there = 0;
    long all = 0;
    for (FileView file : files(change.members()).values()) {
      for (FileView.Block block : file.blocks()) {
        all++;
        there += nodes(block).contains(place.node()) ? 1 : 0;
      }
    }
    return List.of(place + (there == all ? "" : " (" + there + " of " + all + " blocks)"));
  }

  /** Waits until HDFS shows them; false where it doesn't in time, or the service ends. */
  private boolean awaitReplicas(List<GroupChange.Member> members)
      throws IOException, InterruptedException {
    long began = machinery.nanos().getAsLong();
    BooleanSupplier mayWait =
        () ->
            machinery.nanos().getAsLong() - began <= limits.verifyWithin().toNanos()
                && !machinery.control().isAbandoning();
    int before = 0;
    int missing;
    while ((missing = missing(members)) > 0) {
      if (missing != before) {
        machinery.control().watch().progressed();
        before = missing;
      }
      if (!mayWait.getAsBoolean()) {
        return false;
      }
      machinery.pause().pause(limits.verifyEvery());
    }
    return true;
  }

  /**
   * As many replicas as before, where nobody else has set that since, be it to the same.
   *
   * @return which were not lowered, in words; empty where all were
   */
  String lower(long group, List<GroupChange.Member> members) {
    StringBuilder left = new StringBuilder();
    for (GroupChange.Member member : members) {
      int raised = member.factor() + 1;
      try {
        int now = actions.file(member.path()).map(FileView::replication).orElse(0);
        if (now == raised && !isOurs(member)) {
          left.append("; ").append(member.path()).append(" keeps ").append(now);
          left.append(" replicas: somebody set its replication factor");
        } else if (now == raised) {
          actions.setReplication(member.path(), member.factor(), raised);
          factors.lowered(group, member.path(), raised, member.factor());
        } else if (now == member.factor() && factors.isOurs(member.path(), raised)) {
          // It was never raised, or lowered right before a crash.
          factors.lowered(group, member.path(), raised, now);
        }
      } catch (IOException e) {
        left.append("; ").append(member.path()).append(" could not be lowered: ").append(e);
      }
    }
    return left.toString();
  }

  /** Journals of earlier versions don't say which members were raised: then marks do. */
  private boolean isOurs(GroupChange.Member member) throws IOException {
    int raised = member.factor() + 1;
    if (factors.isOurs(member.path(), raised)) {
      return true;
    }
    ActionCalls.Raised mark =
        factors.isTaken(member.path()) ? null : actions.marks(member.path()).raised();
    return mark != null && mark.before() == member.factor() && mark.now() == raised;
  }
}
