// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Who takes plans back. An IllegalStateException says why that can't be now. */
public interface Undoing {

  /**
   * What would come of it, or came of it.
   *
   * @param plan that is taken back
   * @param paths that are as they were, once the moves are at their end
   * @param refused paths that are left as they are, with the reason of each
   */
  record Undone(long plan, List<String> paths, int moves, Map<String, String> refused) {}

  /** The number of the last plan; 0 where there is none. */
  long lastPlan();

  /**
   * Changes nothing.
   *
   * @param most of how many paths is HDFS asked; where there are more, this is what was recorded of all
   */
  Undone preview(long plan, int most) throws IOException, InterruptedException;

  /**
   * Returns when it is done.
   *
   * @param progress is given at once where two looks at each path, and the moves at their end, are counted
   */
  Undone undo(long plan, String who, String why, Consumer<Supplier<Tasks.Progress>> progress)
      throws IOException, InterruptedException;
}
