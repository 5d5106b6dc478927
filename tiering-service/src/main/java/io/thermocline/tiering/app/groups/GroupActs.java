// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.tiering.act.BackEnd;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.MoveListener;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.groups.GroupCheck;
import io.thermocline.tiering.act.groups.GroupExecutor;
import io.thermocline.tiering.act.groups.GroupRecord;
import io.thermocline.tiering.act.groups.MemberFactors;
import io.thermocline.tiering.act.groups.MemberName;
import io.thermocline.tiering.act.groups.RoundRobinCursor;
import io.thermocline.tiering.app.records.Recorder;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.GroupChange;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has groups made and ended, and keeps the journal of it; after a restart, brings the two together. By the thread that
 * carries plans out; what there is may be asked for by any.
 */
public final class GroupActs {

  private static final Logger LOG = LoggerFactory.getLogger(GroupActs.class);

  private final Journal journal;
  private final Recorder recorder;
  private final ExecutionControl control;
  private final GroupExecutor executor;
  private final RoundRobinCursor<Journal.Group> raisedInTurn =
      new RoundRobinCursor<>(
          group -> group.made().group(),
          group -> group.made().members().size(),
          GroupExecutor.LOOKED_AT_ONCE);
  private final Set<Long> begun = ConcurrentHashMap.newKeySet();
  private final GroupNumbers.Counter counter = new GroupNumbers.Counter();

  /** Makes what acts, with who is to hear of it. */
  @FunctionalInterface
  public interface Hands {
    GroupExecutor by(
        PlanExecutor.Machinery machinery,
        BackEnd mover,
        GroupRecord record,
        MemberFactors factors,
        MoveListener moves);
  }

  public GroupActs(
      Journal journal,
      Recorder recorder,
      Hands hands,
      PlanExecutor.Machinery machinery,
      BackEnd mover,
      MoveListener moves) {
    this.journal = journal;
    this.recorder = recorder;
    this.control = machinery.control();
    Recorded recorded = new Recorded();
    this.executor = hands.by(machinery, mover, recorded, recorded, moves);
  }

  /** The groups of a plan. */
  public void carryOut(long plan, List<GroupChange> changes)
      throws IOException, InterruptedException {
    for (GroupChange change : changes) {
      if (change.kind() == GroupChange.Kind.DISSOLVE) {
        if (!control.awaitTurn()) {
          return;
        }
        end(plan, of(change.group()), "", change.reason());
      }
    }
    executor.make(
        plan, changes.stream().filter(each -> each.kind() != GroupChange.Kind.DISSOLVE).toList());
  }

  /** Of an id; none where it is at its end. */
  private List<Journal.Group> of(long id) {
    return journal.groups().stream().filter(each -> each.made().group() == id).toList();
  }

  /**
   * Ends groups.
   *
   * @param plan by which; 0: by none
   * @param who had it done; empty: the service by itself
   */
  public void end(long plan, List<Journal.Group> groups, String who, String why)
      throws IOException {
    executor.end(
        plan,
        groups.stream()
            .map(each -> new GroupExecutor.Ending(each.made().group(), raised(each.made())))
            .toList(),
        who,
        why);
  }

  /** Group files in HDFS that the journal has no group of: it was lost, or the service died while it made them. */
  public List<String> unrecordedFiles() throws IOException {
    Set<String> known =
        journal.groups().stream().map(each -> each.made().file()).collect(Collectors.toSet());
    return executor.files().stream().filter(file -> !known.contains(file)).toList();
  }

  /** Removes the files of all groups, also of those that the journal doesn't have, and the redirect table. */
  public void removeFiles() throws IOException {
    executor.removeFiles();
  }

  /** What became of groups since the start. */
  public GroupNumbers.Life life() {
    return counter.now();
  }

  /** Whether anything was begun of it since the start. */
  public boolean isBegun(long group) {
    return begun.contains(group);
  }

  private static List<GroupChange.Member> raised(JournalEntry.GroupMade made) {
    return isRaised(made)
        ? made.members().stream()
            .map(
                member ->
                    new GroupChange.Member(
                        member.path(), member.inode(), member.bytes(), 0, member.factor()))
            .toList()
        : List.of();
  }

  static boolean isRaised(JournalEntry.GroupMade made) {
    return made.kind().equals(GroupChange.Kind.RAISE.name());
  }

  /**
   * Looks at the copies, at some originals of them in turn: what readers may not be sent to any more goes, and whatever
   * the journal and HDFS don't agree about comes to an end that the journal has.
   *
   * @return groups that went as a member changed, by the paths of their members when they were made
   */
  public Map<Set<String>, Long> repair() throws IOException {
    GroupCheck.Result checked = executor.repair();
    checked.problems().forEach(problem -> LOG.info("groups: {}", problem));
    if (!checked.isComplete()) {
      return Map.of();
    }
    Map<Long, GroupFile> good =
        checked.good().stream().collect(Collectors.toMap(GroupFile::id, group -> group));
    Map<Long, String> bad =
        checked.bad().entrySet().stream()
            .collect(Collectors.toMap(each -> each.getKey().id(), Map.Entry::getValue));
    Map<Set<String>, Long> went = new HashMap<>();
    Set<Journal.Group> asked =
        new HashSet<>(
            raisedInTurn.next(
                journal.groups().stream().filter(group -> isRaised(group.made())).toList()));
    for (Journal.Group group : journal.groups()) {
      JournalEntry.GroupMade made = group.made();
      String why =
          isRaised(made) ? whyRaisedGoes(group, asked) : whyFileWent(group, checked, good, bad);
      if (!why.isEmpty()) {
        if (isRaised(made)) {
          end(0, List.of(group), "", why);
        } else {
          ended(0, made.group(), "", why);
        }
        went.put(
            made.members().stream()
                .map(JournalEntry.GroupMember::path)
                .collect(Collectors.toUnmodifiableSet()),
            made.group());
      } else if (!isRaised(made) && group.shown().isEmpty() && good.containsKey(made.group())) {
        GroupFile file = good.get(made.group());
        recorder.after("groupShown", shown(file.id(), executor.places(file.path())));
      }
      good.remove(made.group());
    }
    for (GroupFile unknown : good.values()) {
      adopt(unknown);
    }
    return went;
  }

  private static String whyFileWent(
      Journal.Group group,
      GroupCheck.Result checked,
      Map<Long, GroupFile> good,
      Map<Long, String> bad) {
    long id = group.made().group();
    if (good.containsKey(id) || checked.unread().contains(group.made().file())) {
      return "";
    }
    return Optional.ofNullable(bad.get(id))
        .orElse(
            group.shown().isEmpty()
                ? "it was not complete when the service ended"
                : "its copies were gone");
  }

  private String whyRaisedGoes(Journal.Group group, Set<Journal.Group> asked) throws IOException {
    if (group.shown().isEmpty()) {
      return "it was not complete when the service ended";
    }
    return asked.contains(group) ? executor.changed(raised(group.made())).orElse("") : "";
  }

  /** The journal was lost, or is another one: the copies are used all the same. */
  private void adopt(GroupFile file) throws IOException {
    recorder.before(
        "group",
        new JournalEntry.GroupMade(
            recorder.now(),
            0,
            file.id(),
            GroupChange.Kind.MAKE_FILE.name(),
            file.path(),
            file.pattern(),
            file.sequence(),
            file.members().stream()
                .map(
                    member ->
                        new JournalEntry.GroupMember(
                            new MemberName("/.reserved/.inodes/" + member.inode(), member.blockId())
                                .toString(),
                            member.inode(),
                            member.length(),
                            0))
                .toList(),
            List.of(),
            file.length(),
            0,
            "found in the redirect table; the journal had nothing of it"));
    recorder.after("groupShown", shown(file.id(), executor.places(file.path())));
  }

  private JournalEntry.GroupShown shown(long group, List<String> places) {
    return new JournalEntry.GroupShown(recorder.now(), group, places);
  }

  private void ended(long plan, long group, String who, String why) {
    of(group).forEach(each -> counter.ended(each, plan, who));
    recorder.after(
        "groupEnded", new JournalEntry.GroupEnded(recorder.now(), plan, group, who, why));
  }

  /** In the journal. */
  private final class Recorded implements GroupRecord, MemberFactors {

    @Override
    public void willMake(long plan, GroupChange change, String file) throws IOException {
      begun.add(change.group());
      recorder.before(
          "group",
          new JournalEntry.GroupMade(
              recorder.now(),
              plan,
              change.group(),
              change.kind().name(),
              file,
              change.pattern(),
              change.sequence(),
              change.members().stream()
                  .map(
                      each ->
                          new JournalEntry.GroupMember(
                              each.path(), each.inode(), each.bytes(), each.factor()))
                  .toList(),
              change.places().stream().map(GroupChange.Place::toString).toList(),
              change.bytes(),
              change.replaces(),
              change.reason()));
      LOG.info("{}: {}: {}", change.name(), change.words(), change.reason());
    }

    @Override
    public void willReplicate(long group, String path, int before, int after) throws IOException {
      recorder.before("replication", replicated(group, path, before, after));
    }

    @Override
    public void lowered(long group, String path, int before, int after) {
      recorder.after("replication", replicated(group, path, before, after));
    }

    private JournalEntry replicated(long group, String path, int before, int after) {
      return new JournalEntry.ReplicationSet(recorder.now(), path, before, after, group);
    }

    @Override
    public boolean isOurs(String path, int factor) {
      return journal.raised(path).filter(ours -> ours.now() == factor).isPresent();
    }

    @Override
    public boolean isTaken(String path) {
      return journal.taken(path, JournalEntry.Taken.REPLICATION).isPresent();
    }

    @Override
    public void shown(long group, List<String> places) {
      of(group).forEach(counter::shown);
      recorder.after("groupShown", GroupActs.this.shown(group, places));
    }

    @Override
    public void ended(long plan, long group, String who, String why) {
      LOG.info("group {} ended: {}", group, why);
      GroupActs.this.ended(plan, group, who, why);
    }
  }
}
