// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Set;

/** One line of the journal. Times are UTC, ISO 8601. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "entry")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JournalEntry.Started.class, name = "started"),
  @JsonSubTypes.Type(value = JournalEntry.Checkpoint.class, name = "checkpoint"),
  @JsonSubTypes.Type(value = JournalEntry.Held.class, name = "held"),
  @JsonSubTypes.Type(value = JournalEntry.Undo.class, name = "undo"),
  @JsonSubTypes.Type(value = JournalEntry.PlanEnded.class, name = "planEnded"),
  @JsonSubTypes.Type(value = JournalEntry.Recovered.class, name = "recovered"),
  @JsonSubTypes.Type(value = JournalEntry.Planned.class, name = "planned"),
  @JsonSubTypes.Type(value = JournalEntry.FirstPart.class, name = "firstPart"),
  @JsonSubTypes.Type(value = JournalEntry.PlanChanged.class, name = "plan"),
  @JsonSubTypes.Type(value = JournalEntry.PolicySet.class, name = "policy"),
  @JsonSubTypes.Type(value = JournalEntry.TakenOver.class, name = "takenOver"),
  @JsonSubTypes.Type(value = JournalEntry.Released.class, name = "released"),
  @JsonSubTypes.Type(value = JournalEntry.PolicyGivenBack.class, name = "policyGivenBack"),
  @JsonSubTypes.Type(value = JournalEntry.Renamed.class, name = "renamed"),
  @JsonSubTypes.Type(value = JournalEntry.CacheSet.class, name = "cache"),
  @JsonSubTypes.Type(value = JournalEntry.CacheDirective.class, name = "cacheDirective"),
  @JsonSubTypes.Type(value = JournalEntry.ReplicationSet.class, name = "replication"),
  @JsonSubTypes.Type(value = JournalEntry.ReplicationLeft.class, name = "replicationLeft"),
  @JsonSubTypes.Type(value = JournalEntry.ActionEnded.class, name = "lever"),
  @JsonSubTypes.Type(value = JournalEntry.HintGiven.class, name = "hint"),
  @JsonSubTypes.Type(value = JournalEntry.HintRead.class, name = "hintRead"),
  @JsonSubTypes.Type(value = JournalEntry.HintEnded.class, name = "hintEnded"),
  @JsonSubTypes.Type(value = JournalEntry.StreamSet.class, name = "stream"),
  @JsonSubTypes.Type(value = JournalEntry.GroupMade.class, name = "group"),
  @JsonSubTypes.Type(value = JournalEntry.GroupShown.class, name = "groupShown"),
  @JsonSubTypes.Type(value = JournalEntry.GroupEnded.class, name = "groupEnded"),
  @JsonSubTypes.Type(value = JournalEntry.Steered.class, name = "steered"),
  @JsonSubTypes.Type(value = JournalEntry.Answered.class, name = "answered"),
  @JsonSubTypes.Type(value = JournalEntry.TaskBegun.class, name = "task"),
  @JsonSubTypes.Type(value = JournalEntry.TaskEnded.class, name = "taskEnded"),
  @JsonSubTypes.Type(value = JournalEntry.Moved.class, name = "move")
})
public sealed interface JournalEntry {

  String at();

  /**
   * The service began to act, or only to watch.
   *
   * @param epoch one more than the last time; 0 in lines that were written before this was recorded
   * @param changes at least so many {@link Journal#changes} there were in a journal that was lost; else 0
   * @param began when the journal did, which tells it from any other; null in lines that were written before this was
   *     recorded
   */
  record Started(
      String at,
      String mode,
      long epoch,
      long changes,
      @JsonInclude(JsonInclude.Include.NON_NULL) String began)
      implements JournalEntry {
    public Started(String at, String mode, long epoch) {
      this(at, mode, epoch, 0, null);
    }
  }

  /**
   * The state at the beginning of a segment: so many entries follow that come to it.
   *
   * @param changes that there were, as {@link Journal#changes}; 0 in lines that were written before they were counted
   */
  record Checkpoint(String at, long entries, long changes) implements JournalEntry {}

  /** For a while nothing could be recorded, and so nothing was begun. */
  record Held(String at, String why) implements JournalEntry {}

  /**
   * What a plan did is taken back by another, which follows.
   *
   * @param why as given by who asked for it; null where no reason was given, and in lines of earlier versions
   */
  record Undo(
      String at,
      long plan,
      long undone,
      String who,
      @JsonInclude(JsonInclude.Include.NON_NULL) String why)
      implements JournalEntry {}

  /** Nothing of a plan is begun any more, and nobody has to look after it. */
  record PlanEnded(String at, long plan) implements JournalEntry {}

  /**
   * After a restart HDFS was looked at for what the last plan had left.
   *
   * @param found what HDFS showed, and what was done about it
   */
  record Recovered(String at, long plan, String path, String found) implements JournalEntry {}

  /**
   * A file was decided upon, with the reason; its moves follow as they change.
   *
   * @param from type of its fastest copy; null in lines that were written before this was recorded, as for bytes 0
   * @param bytes of its moves
   */
  record Planned(
      String at,
      long plan,
      String path,
      String cause,
      String target,
      int moves,
      String reason,
      String from,
      long bytes)
      implements JournalEntry {
    public Planned(
        String at, long plan, String path, String cause, String target, int moves, String reason) {
      this(at, plan, path, cause, target, moves, reason, null, 0);
    }
  }

  /**
   * The part of a directory's promotions that was moved first is watched, or was found to bring
   * what was expected, or not.
   *
   * @param files of that part
   * @param expected reads of them while they are watched
   * @param served those that they had on their new tier
   */
  record FirstPart(
      String at,
      String directory,
      String state,
      int files,
      double expected,
      double served,
      String reason)
      implements JournalEntry {}

  /**
   * A plan was made, or came into another state, or somebody approved it.
   *
   * @param who did it; empty: the service by itself
   * @param moves of copies, or copies of actions
   * @param bytes of them
   * @param details when it was made; null later, and in lines that were written before this was recorded
   */
  record PlanChanged(
      String at,
      long plan,
      String state,
      String who,
      String why,
      int moves,
      long bytes,
      @JsonInclude(JsonInclude.Include.NON_NULL) PlanDetails details)
      implements JournalEntry {}

  /**
   * What a plan does besides its moves, and what it can't do.
   *
   * @param policies that it sets on directories
   * @param unplaced how many files it finds no place for; 0 in lines that were written before this was recorded
   * @param waiting some of these; null in such lines
   */
  record PlanDetails(
      List<TypeSpace> space,
      List<DirectoryPolicy> policies,
      int unplaced,
      List<UnplacedFile> waiting) {}

  /**
   * A file that a plan finds no place for.
   *
   * @param target in words
   */
  record UnplacedFile(String path, String target, String reason) {}

  /** Bytes of a storage type, used before a plan and after it. */
  record TypeSpace(String type, long before, long after, long capacity) {}

  /**
   * A policy on a directory.
   *
   * @param files that were there
   */
  record DirectoryPolicy(String path, String policy, int files) {}

  /**
   * A storage policy was set by us, or will be next: the file stays ours to move.
   *
   * @param policy empty: none of its own any more
   * @param before that this very path had; empty where it had none of its own, null in lines that were written before
   *     this was recorded
   */
  record PolicySet(String at, String path, String policy, String before) implements JournalEntry {}

  /**
   * Somebody else changed what we had set on a path: it is theirs from now on.
   *
   * @param at when they did, by the NameNode's clock
   * @param heat of the path at that moment; below 0: not known yet
   */
  record TakenOver(String at, String path, Taken what, String who, double heat)
      implements JournalEntry {}

  /** What somebody took over. */
  enum Taken {
    /** A storage policy was set. */
    POLICY,
    /** A storage policy was unset. */
    NO_POLICY,
    /** A path was renamed to below a policy of ours, and may have the same of its own: it isn't ours by that of above. */
    BROUGHT_IN,
    REPLICATION,
    /** What a plan had done was taken back. */
    UNDONE;

    boolean isOfPolicy() {
      return this == POLICY || this == NO_POLICY || this == BROUGHT_IN;
    }
  }

  /** What somebody took back at a path may be done again. */
  record Released(String at, String path, String why) implements JournalEntry {}

  /**
   * A policy that we had replaced, and that was somebody's, is in force again.
   *
   * @param policy empty: none of its own
   */
  record PolicyGivenBack(String at, String path, String policy) implements JournalEntry {}

  /**
   * A file or directory that we had set something on, or below, was renamed or deleted.
   *
   * @param to empty: deleted, or made anew
   */
  record Renamed(String at, String path, String to) implements JournalEntry {}

  /**
   * A file is cached by us, or not any more.
   *
   * @param before copies of each block, by our directive; 0: none
   */
  record CacheSet(String at, String path, String pool, int before, int after)
      implements JournalEntry {}

  /**
   * The cache directive by which a file is cached by us: any other of the same path is somebody else's.
   *
   * @param directive its id in HDFS
   * @param copies of each block
   * @param expires milliseconds since 1970, by the NameNode's clock
   */
  record CacheDirective(String at, String path, long directive, int copies, long expires)
      implements JournalEntry {}

  /**
   * A replication factor is changed by us.
   *
   * @param group of which the file is a member; 0: it is changed for the file alone
   */
  record ReplicationSet(
      String at,
      String path,
      int before,
      int after,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long group)
      implements JournalEntry {
    public ReplicationSet(String at, String path, int before, int after) {
      this(at, path, before, after, 0);
    }
  }

  /** A replication factor that we had changed was changed by somebody else: it is theirs now. */
  record ReplicationLeft(String at, String path, int found) implements JournalEntry {}

  /**
   * What was done to a file beside moving is at its end.
   *
   * @param failure empty where HDFS shows it
   */
  record ActionEnded(String at, String path, String cause, String failure)
      implements JournalEntry {}

  /**
   * A hint was given, or its file or directory renamed.
   *
   * @param at when it was given
   * @param inode of the file or directory; 0 where there is none
   * @param path where that is now; empty for none
   * @param text of the hint, as it stands in an extended attribute
   * @param since when it is judged; older journals don't say it, and mean when it was given
   */
  record HintGiven(String at, String id, long inode, String path, String text, String since)
      implements JournalEntry {
    public HintGiven {
      since = since == null ? at : since;
    }
  }

  /** So many reads were seen of what a hint is about. */
  record HintRead(String at, String id, long reads) implements JournalEntry {}

  /**
   * A hint holds no more.
   *
   * @param end why
   * @param verdict whether it came true
   */
  record HintEnded(String at, String id, String owner, String end, String verdict)
      implements JournalEntry {}

  /** What is at a path belongs to a stream; to none where that is empty. */
  record StreamSet(String at, String path, String stream) implements JournalEntry {}

  /**
   * Files that are read together get copies, from now on; recorded before anything is done.
   *
   * @param plan by which
   * @param group its id
   * @param kind MAKE_FILE: copies in a group file; RAISE: one more replica of each member
   * @param file path of the group file; empty where there is none
   * @param pattern local or global
   * @param sequence how members are read, as random_small
   * @param places "node TYPE" of each copy that was asked for
   * @param bytes of all copies
   * @param replaces group whose members these were, before one of them changed; 0: none
   */
  record GroupMade(
      String at,
      long plan,
      long group,
      String kind,
      String file,
      String pattern,
      String sequence,
      List<GroupMember> members,
      List<String> places,
      long bytes,
      long replaces,
      String reason)
      implements JournalEntry {
    public GroupMade {
      members = List.copyOf(members);
      places = List.copyOf(places);
    }
  }

  /**
   * A file of a group.
   *
   * @param path that it had when the group was made
   * @param factor its replication before
   */
  record GroupMember(String path, long inode, long bytes, int factor) {}

  /**
   * A group's copies are all there.
   *
   * @param places "node TYPE" of each, as HDFS shows them
   */
  record GroupShown(String at, long group, List<String> places) implements JournalEntry {
    public GroupShown {
      places = List.copyOf(places);
    }
  }

  /**
   * The copies of a group are gone, or were never made.
   *
   * @param plan by which; 0 where it was found to be so
   * @param who had it ended; empty: the service by itself
   */
  record GroupEnded(String at, long plan, long group, String who, String why)
      implements JournalEntry {}

  /**
   * Somebody paused the service, stopped or resumed it.
   *
   * @param state what holds from now on
   */
  record Steered(String at, String state, String who, String why) implements JournalEntry {}

  /**
   * A request that changed something was answered: the same again gets the same answer.
   *
   * @param id of the request
   * @param asked a digest of what it was
   * @param status of HTTP
   * @param answer as JSON
   * @param location where to follow what it began; may be empty
   */
  record Answered(String at, String id, String asked, int status, String answer, String location)
      implements JournalEntry {}

  /**
   * Something that takes its time begins.
   *
   * @param task its id
   * @param hint id of the hint that asks for it; empty where none does
   */
  record TaskBegun(String at, long task, String what, String who, String why, String hint)
      implements JournalEntry {}

  /**
   * It is at its end.
   *
   * @param done steps, of all
   * @param operations what it came to, where a hint asked for it
   */
  record TaskEnded(
      String at,
      long task,
      String state,
      long done,
      long total,
      List<TaskOperation> operations,
      String result)
      implements JournalEntry {
    public TaskEnded {
      operations = List.copyOf(operations);
    }
  }

  /**
   * HintStor's tuple.
   *
   * @param destination empty where no plan had one
   */
  record TaskOperation(String op, String chunk, long bytes, String source, String destination) {}

  /**
   * A move came into a state.
   *
   * @param bytes of the replica; 0 in lines that were written before this was recorded
   */
  record Moved(
      String at,
      String move,
      String path,
      long block,
      String from,
      String to,
      String state,
      String detail,
      long bytes)
      implements JournalEntry {

    private static final Set<String> FINAL = Set.of("VERIFIED", "FAILED", "OBSOLETE", "CANCELLED");

    /** Whether nothing comes after this. */
    @JsonIgnore
    public boolean isFinal() {
      return FINAL.contains(state);
    }
  }
}
