// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

/**
 * The internal stages of the plugin, in the order in which a call goes through them: named so that a
 * test can let each of them fail. In production reaching one does nothing.
 */
enum Stage {
  /** Off the call path: the cluster is looked at. */
  COLLECT,
  /** Off the call path: the snapshot is put together. */
  BUILD,
  /** The hint on a new file's directory is looked up. */
  DIRECTORY_HINT,
  /** The arguments of a call are turned into what the snapshot knows them as. */
  PREPARE,
  /** Which storage types the replicas need. */
  TYPES,
  /** The writer's own node. */
  LOCAL,
  /** A draw from a number line, or one storage after the other. */
  DRAW,
  /** One candidate is checked. */
  CHECK,
  /** Other storage types than the first are needed. */
  FALLBACK_TYPES,
  /** Candidate sets are compared. */
  SCORE,
  /** The order of the write pipeline. */
  PIPELINE,
  /** The caller's collections get what was chosen. */
  RECORD,
  /** A random node of the stock flow is replaced. */
  STOCK_DRAW,
  /** The replica that a move names is looked for. */
  MOVE_HINT;

  /** What happens where a stage is reached. */
  interface Reached {
    /** May throw, in tests. */
    void at(Stage stage);
  }
}
