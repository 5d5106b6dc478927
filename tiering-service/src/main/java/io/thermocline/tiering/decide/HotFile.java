// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.tiering.decide.worth.ForecastScore;
import io.thermocline.tiering.decide.worth.Worth;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;

/**
 * A file with how hot it is. Files differ in size, so what a byte of a fast tier brings is the reads
 * per byte: by that they are ranked (the paper's data items are all of one size, there it is the same
 * order).
 *
 * @param heat cooled reads
 * @param forecast what was learned of it; null where nothing learns
 */
public record HotFile(FileView file, double heat, Forecast forecast) {

  /** Bytes of which learned thresholds count the reads. */
  public static final double GB = 1 << 30;

  /** Hottest byte first; the path decides between equals, so that an order is always the same. */
  static final Comparator<HotFile> HOTTEST_FIRST =
      Comparator.comparingDouble(HotFile::rank).reversed().thenComparing(hot -> hot.file().path());

  /** A file of which nothing is learned. */
  public HotFile(FileView file, double heat) {
    this(file, heat, null);
  }

  /**
   * The same file with what was learned of it.
   *
   * @param halfLife of the heat
   */
  public HotFile with(Worth worth, ForecastScore score, Duration halfLife) {
    return new HotFile(file, heat, Forecast.of(this, worth, score, halfLife));
  }

  /** Whether it is what was learned that decides on it. */
  boolean isForecast() {
    return forecast != null && forecast.isInForce();
  }

  /** By which files are ranked: cooled reads per byte, or as many as the expected reads amount to. */
  public double rank() {
    return isForecast() ? forecast.heat() / Math.max(1, file.length()) : density();
  }

  /** Cooled reads per byte. */
  public double density() {
    return heat / Math.max(1, file.length());
  }

  /** What it is ranked by in words, for reasons. */
  String numbers() {
    return isForecast() ? counted() + " (" + forecast.worth().numbers() + ")" : counted();
  }

  /** The heat in words. */
  String counted() {
    return String.format(Locale.ROOT, "%.1f reads, %.1f a MB", heat, density() * 1_000_000);
  }
}
