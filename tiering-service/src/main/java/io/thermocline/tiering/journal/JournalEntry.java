// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** One line of the journal. Times are UTC, ISO 8601. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "entry")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JournalEntry.Started.class, name = "started"),
  @JsonSubTypes.Type(value = JournalEntry.Planned.class, name = "planned"),
  @JsonSubTypes.Type(value = JournalEntry.PolicySet.class, name = "policy"),
  @JsonSubTypes.Type(value = JournalEntry.Moved.class, name = "move")
})
public sealed interface JournalEntry {

  String at();

  /** The service began to act, or only to watch. */
  record Started(String at, String mode) implements JournalEntry {}

  /** A file was decided upon, with the reason; its moves follow as they change. */
  record Planned(
      String at, long plan, String path, String cause, String target, int moves, String reason)
      implements JournalEntry {}

  /** A storage policy was set by us: the file stays ours to move. */
  record PolicySet(String at, String path, String policy) implements JournalEntry {}

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
      implements JournalEntry {}
}
