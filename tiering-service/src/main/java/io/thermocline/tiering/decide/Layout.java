// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How the copies of one file lie over the storage types, now or once a target is reached.
 *
 * @param lead the slowest, over the file's blocks, of the fastest type that holds a copy: what a reader
 *     of the whole file waits for. A file of which one block is still on its way up counts as not there
 *     yet. DISK where no block has a live copy
 * @param bytes that the copies take on each type; types without any are absent
 */
record Layout(StorageType lead, Map<StorageType, Long> bytes) {

  /** As HDFS shows the file. */
  static Layout of(FileView file) {
    return of(file, null);
  }

  /** As it will be when the copies of each block have gone where the target sends them. */
  static Layout of(FileView file, Target target) {
    StorageType lead = null;
    Map<StorageType, Long> bytes = new EnumMap<>(StorageType.class);
    for (FileView.Block block : file.blocks()) {
      List<StorageType> types = block.types();
      if (types.isEmpty()) {
        continue;
      }
      if (target != null) {
        types = target.applied(types);
      }
      types.forEach(type -> bytes.merge(type, block.length(), Long::sum));
      StorageType fastest = Collections.max(types);
      lead = lead == null || fastest.compareTo(lead) < 0 ? fastest : lead;
    }
    return new Layout(lead == null ? StorageType.DISK : lead, bytes);
  }

  /** With more bytes on a type that holds copies already. */
  Layout with(StorageType type, long more) {
    Map<StorageType, Long> after = new EnumMap<>(bytes);
    after.merge(type, more, Long::sum);
    return new Layout(lead, after);
  }

  long bytesOn(StorageType type) {
    return bytes.getOrDefault(type, 0L);
  }

  /** Whether some copy lies on any of the types. */
  boolean touches(StorageType... types) {
    return Arrays.stream(types).anyMatch(type -> bytesOn(type) > 0);
  }
}
