// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The types of the copies of a file's blocks: one list, fastest first, for each kind of block.
 * Most files have one kind; an interrupted plan, or a type that was full, leaves several. Immutable.
 */
final class Shapes {

  private final Set<List<StorageType>> kinds;
  private final int copies;

  private Shapes(Set<List<StorageType>> kinds) {
    this.kinds = kinds;
    this.copies = kinds.stream().mapToInt(List::size).max().orElse(0);
  }

  static Shapes of(FileView file) {
    Set<List<StorageType>> kinds = new LinkedHashSet<>();
    for (FileView.Block block : file.blocks()) {
      kinds.add(Target.fastestFirst(block.types()));
    }
    return new Shapes(kinds);
  }

  /**
   * One target for all blocks: a step taken from each kind of whole block, and of what that gives the copies that
   * all have in common; the others go to DISK. So no block brings a copy to a fast type, or to ARCHIVE, that the step
   * alone would not have brought.
   */
  List<StorageType> step(UnaryOperator<List<StorageType>> step) {
    List<List<StorageType>> stepped =
        kinds.stream().filter(kind -> kind.size() == copies).map(step).distinct().toList();
    List<StorageType> common = new ArrayList<>(stepped.get(0));
    for (List<StorageType> other : stepped) {
      List<StorageType> rest = new ArrayList<>(other);
      common.removeIf(type -> !rest.remove(type));
    }
    common.addAll(Collections.nCopies(copies - common.size(), StorageType.DISK));
    return Target.fastestFirst(common);
  }
}
