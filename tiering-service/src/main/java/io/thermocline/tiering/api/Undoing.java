// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Who takes plans back. An IllegalStateException says why that can't be now. */
public interface Undoing {

  /** What would come of it, or came of it. */
  record Undone(
      @JsonPropertyDescription("the plan that is taken back") long plan,
      @JsonPropertyDescription("the plan that takes it back; 0: nothing was done") long number,
      @JsonPropertyDescription("that are as they were, once the moves are at their end")
          List<String> paths,
      int moves,
      @JsonPropertyDescription("paths that are left as they are, with the reason of each")
          Map<String, String> refused) {}

  /** The number of the last plan; 0 where there is none. */
  long lastPlan();

  /** Changes nothing. */
  Undone preview(long plan) throws IOException, InterruptedException;

  /**
   * Returns when it is done.
   *
   * @param progress is given at once where the moves are counted that are at their end
   */
  Undone undo(long plan, String who, String why, Consumer<Supplier<Tasks.Progress>> progress)
      throws IOException, InterruptedException;
}
