// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Who knows the groups of files that are read together, and ends them. */
public interface Groups {

  /** A group. */
  record FileGroup(
      @JsonPropertyDescription("64 bits, as text: more than a JavaScript number holds") String id,
      @JsonPropertyDescription(
              "MAKE_FILE: copies in a file; RAISE: one more replica of each member")
          String kind,
      @JsonPropertyDescription("false while its copies are being made") boolean complete,
      Instant since,
      @JsonPropertyDescription("by which; 0: found to be there") long plan,
      @JsonPropertyDescription("with the copies; absent where there is none") Optional<String> file,
      @JsonPropertyDescription("local: read together; global: hot, and read about equally often")
          String pattern,
      @JsonPropertyDescription("how members are read") String sequence,
      List<GroupedFile> members,
      @JsonPropertyDescription(
              "node and storage type of the copies; while they are being made, as wished")
          List<String> places,
      @JsonPropertyDescription("of all copies") long bytes,
      @JsonPropertyDescription("group whose members these were before one of them changed")
          Optional<String> replaces,
      String reason) {}

  /** A file of a group, or a block. */
  record GroupedFile(
      @JsonPropertyDescription(
              "when the group was made; with :blk_ID, that block of a larger file alone")
          String path,
      long sizeBytes) {}

  /** What groups take, and may take at most. */
  record GroupSpace(
      long fileBytes, long mostFileBytes, long raisedBytes, long mostRaisedBytes, int groups) {}

  /** Oldest first. */
  List<FileGroup> all();

  GroupSpace space();

  /**
   * Ends a group; returns when its copies are gone.
   *
   * @throws IllegalStateException where that can't be now, with the reason
   */
  void end(String id, String who, String why) throws IOException, InterruptedException;
}
