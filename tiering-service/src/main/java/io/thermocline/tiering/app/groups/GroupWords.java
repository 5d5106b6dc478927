// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.act.groups.MemberName;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is said of the groups that a file is in. */
public final class GroupWords {

  private GroupWords() {}

  /** A line for each group that has a copy of what was at the path when it was made. */
  public static List<String> of(String path, List<Journal.Group> groups) {
    return groups.stream()
        .filter(group -> group.made().members().stream().anyMatch(each -> isOf(path, each.path())))
        .map(group -> words(path, group))
        .toList();
  }

  private static boolean isOf(String path, String member) {
    return MemberName.of(member).path().equals(path);
  }

  private static String words(String path, Journal.Group group) {
    JournalEntry.GroupMade made = group.made();
    String others =
        made.members().stream()
            .map(JournalEntry.GroupMember::path)
            .filter(other -> !isOf(path, other))
            .collect(Collectors.joining(", "));
    return "group "
        + made.group()
        + " ("
        + made.pattern()
        + ", "
        + made.sequence()
        + ") since "
        + made.at()
        + ", plan "
        + made.plan()
        + ": "
        + (GroupActs.isRaised(made) ? "one more replica" : "a copy in " + made.file())
        + ", "
        + group.shown().map(shown -> "on " + String.join(", ", shown.places())).orElse("being made")
        + ", with "
        + others
        + ": "
        + made.reason();
  }

  /** Paths of files that have one more replica as one of a group. */
  public static Set<String> raised(List<Journal.Group> groups) {
    return groups.stream()
        .map(Journal.Group::made)
        .filter(GroupActs::isRaised)
        .flatMap(made -> made.members().stream())
        .map(JournalEntry.GroupMember::path)
        .collect(Collectors.toSet());
  }
}
