// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;

/** A file after moves were carried out. */
final class Carried {

  private Carried() {}

  static FileView out(FileView file, List<Move> moves) {
    List<FileView.Block> blocks = new ArrayList<>();
    for (FileView.Block block : file.blocks()) {
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      for (Move move : moves) {
        if (move.block().id() == block.id() && replicas.remove(move.source())) {
          replicas.add(
              new FileView.Replica(move.targetNode(), move.targetStorage(), move.targetType()));
        }
      }
      blocks.add(
          new FileView.Block(
              block.poolId(), block.id(), block.generation(), block.length(), replicas));
    }
    return new FileView(
        file.path(),
        file.length(),
        file.replication(),
        file.storagePolicy(),
        blocks,
        file.owner(),
        file.coding());
  }
}
