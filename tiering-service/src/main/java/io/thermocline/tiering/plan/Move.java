// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;

/**
 * One replica of one block to another storage.
 *
 * @param id unique over the life of a journal: plan number, a hyphen, and position in the plan
 * @param source where the copy lies and shall be gone from
 * @param targetNode UUID of the DataNode that shall hold it
 * @param targetStorage the block's SUORA home, or its group's place; which volume of that type
 *     the DataNode
 *     takes is its own choice as long as it runs its stock volume choice
 */
public record Move(
    String id,
    String path,
    FileView.Block block,
    FileView.Replica source,
    String targetNode,
    String targetStorage,
    StorageType targetType) {

  public long bytes() {
    return block.length();
  }

  /** The same at its position in another plan. */
  Move ofPlan(long number) {
    String position = id.substring(id.indexOf('-'));
    return new Move(number + position, path, block, source, targetNode, targetStorage, targetType);
  }
}
