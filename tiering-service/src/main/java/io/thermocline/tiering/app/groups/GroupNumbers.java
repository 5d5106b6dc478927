// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Groups that there are, by kind, and what became of others.
 *
 * @param files with copies in a group file
 * @param raised with one more replica of each member
 * @param life since the start
 * @param opens of group files by readers, since the start
 */
public record GroupNumbers(Kind files, Kind raised, Life life, long opens) {

  public static final GroupNumbers NONE =
      new GroupNumbers(Kind.none(0), Kind.none(0), Life.NONE, 0);

  /**
   * Groups of one kind.
   *
   * @param members of all of them
   * @param bytes of all copies
   * @param most bytes, as configured
   */
  public record Kind(int groups, int members, long bytes, long most) {
    private static Kind none(long most) {
      return new Kind(0, 0, 0, most);
    }

    private Kind plus(JournalEntry.GroupMade group) {
      return new Kind(groups + 1, members + group.members().size(), bytes + group.bytes(), most);
    }
  }

  /** Why a group ended. */
  public enum End {
    /** By a plan: not read together any more, or groups aren't configured. */
    DISSOLVED,
    /** A member changed, or copies were gone. */
    CHANGED,
    PEOPLE,
    /** Its copies were never all there. */
    UNFINISHED
  }

  /**
   * What became of groups.
   *
   * @param made with members that were in none before
   * @param refreshed in place of one that ended as a member changed
   */
  public record Life(long made, long refreshed, Map<End, Long> ended) {
    public static final Life NONE = new Life(0, 0, Map.of());
  }

  public static GroupNumbers of(
      List<Journal.Group> groups, Optional<GroupsConfig> config, Life life, long opens) {
    Kind files = Kind.none(config.map(GroupsConfig::most).orElse(0L));
    Kind raised = Kind.none(config.map(each -> each.raise().most()).orElse(0L));
    for (Journal.Group group : groups) {
      if (GroupActs.isRaised(group.made())) {
        raised = raised.plus(group.made());
      } else {
        files = files.plus(group.made());
      }
    }
    return new GroupNumbers(files, raised, life, opens);
  }

  /** Counts what becomes of groups. Thread-safe. */
  static final class Counter {
    private final LongAdder made = new LongAdder();
    private final LongAdder refreshed = new LongAdder();
    private final Map<End, LongAdder> ended = new EnumMap<>(End.class);

    Counter() {
      for (End end : End.values()) {
        ended.put(end, new LongAdder());
      }
    }

    /** All copies of a group are there. */
    void shown(Journal.Group group) {
      (group.made().replaces() == 0 ? made : refreshed).increment();
    }

    /**
     * A group ends.
     *
     * @param group as it was until now
     * @param plan by which; 0: by none
     * @param who had it ended; empty: the service by itself
     */
    void ended(Journal.Group group, long plan, String who) {
      End end =
          !who.isEmpty()
              ? End.PEOPLE
              : group.shown().isEmpty() ? End.UNFINISHED : plan == 0 ? End.CHANGED : End.DISSOLVED;
      ended.get(end).increment();
    }

    Life now() {
      Map<End, Long> counts = new EnumMap<>(End.class);
      ended.forEach((end, count) -> counts.put(end, count.sum()));
      return new Life(made.sum(), refreshed.sum(), counts);
    }
  }
}
