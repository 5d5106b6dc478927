// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

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

  /** Bytes of which learned thresholds count the reads. */
  public static final double GB = 1 << 30;

  /** Hottest byte first; the path decides between equals, so that an order is always the same. */
  static final Comparator<HotFile> HOTTEST_FIRST =
      Comparator.comparingDouble(HotFile::density)
          .reversed()
          .thenComparing(hot -> hot.file().path());

  /** Cooled reads per byte. */
  public double density() {
    return heat / Math.max(1, file.length());
  }

  /** The heat in words, for reasons. */
  String numbers() {
    return String.format(Locale.ROOT, "%.1f reads, %.1f a MB", heat, density() * 1_000_000);
  }
}
