// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.ActionChange;
import java.io.IOException;
import java.util.Optional;

/**
 * Keeps the actions that began. What goes up is recorded before it is done, what comes down after: so whatever happens
 * between the two, what we did is known to be ours.
 */
public interface ActionRecord {

  /**
   * @param after copies of each block in memory by our doing; how many were before is on record
   */
  void cached(String path, int after) throws IOException;

  /** A path was cached by this directive; recorded as soon as that is possible. */
  void made(String path, ActionCalls.Directive directive);

  /** The directive by which we cached a path last; empty where we didn't, or took it back. */
  Optional<ActionCalls.Directive> directive(String path);

  void replication(String path, int before, int after) throws IOException;

  /**
   * A change is at its end.
   *
   * @param failure why it isn't done; empty where it is, and HDFS shows it
   */
  void ended(ActionChange change, String failure);
}
