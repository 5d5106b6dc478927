// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;

/** A file after its decision was carried out, each copy staying on its node. */
final class Moved {

  private Moved() {}

  static FileView file(FileView file, Target target) {
    List<FileView.Block> blocks = new ArrayList<>();
    for (FileView.Block block : file.blocks()) {
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      for (Target.Shift shift : target.shifts(block.types())) {
        int moved = types(replicas).indexOf(shift.from());
        String node = replicas.get(moved).node();
        replicas.set(moved, new FileView.Replica(node, node + "-" + shift.to(), shift.to()));
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

  private static List<StorageType> types(List<FileView.Replica> replicas) {
    return replicas.stream().map(FileView.Replica::type).toList();
  }
}
