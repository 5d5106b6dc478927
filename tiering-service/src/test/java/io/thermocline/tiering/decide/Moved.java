// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A file after its decision was carried out, each copy staying on its node. */
final class Moved {

  private Moved() {}

  static FileView file(FileView file, Target target) {
    List<FileView.Block> blocks = new ArrayList<>();
    for (FileView.Block block : file.blocks()) {
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      replicas.sort(Comparator.comparing(FileView.Replica::type).reversed());
      for (int i = 0; i < replicas.size(); i++) {
        StorageType type = i == 0 ? target.lead() : target.rest();
        if (type != null) {
          String node = replicas.get(i).node();
          replicas.set(i, new FileView.Replica(node, node + "-" + type, type));
        }
      }
      blocks.add(
          new FileView.Block(
              block.poolId(), block.id(), block.generation(), block.length(), replicas));
    }
    return new FileView(
        file.path(), file.length(), file.replication(), file.storagePolicy(), blocks);
  }
}
