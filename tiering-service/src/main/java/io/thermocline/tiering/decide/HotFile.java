// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.Comparator;
import java.util.Locale;

/**
 * A file with how hot it is. Files differ in size, so what a byte of a fast tier brings is the reads
 * per byte: by that they are ranked (the paper's data items are all of one size, there it is the same
 * order).
 *
 * @param heat cooled reads
 */
public record HotFile(FileView file, double heat) {

  /** Hottest byte first; the path decides between equals, so that an order is always the same. */
  static final Comparator<HotFile> HOTTEST_FIRST =
      Comparator.comparingDouble(HotFile::density)
          .reversed()
          .thenComparing(hot -> hot.file().path());

  /** Cooled reads per byte. */
  double density() {
    return heat / Math.max(1, file.length());
  }

  /** The heat in words, for reasons. */
  String numbers() {
    return String.format(Locale.ROOT, "%.1f reads, %.1f a MB", heat, density() * 1_000_000);
  }

  /** Whether some block has a copy on the type besides its fastest one. */
  public boolean holdsOthersOn(StorageType type) {
    return file.blocks().stream()
        .anyMatch(
            block -> {
              StorageType fastest = fastest(block);
              long onType =
                  block.replicas().stream().filter(replica -> replica.type() == type).count();
              return onType > (fastest == type ? 1 : 0);
            });
  }

  private static StorageType fastest(FileView.Block block) {
    return block.replicas().stream()
        .map(FileView.Replica::type)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }
}
