// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.tiering.decide.worth.ForecastScore;
import io.thermocline.tiering.decide.worth.Worth;
import io.thermocline.tiering.hints.Expectation;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file with how hot it is. Files differ in size, so what a byte of a fast tier brings is the reads
 * per byte: by that they are ranked (the paper's data items are all of one size, there it is the same
 * order).
 *
 * @param heat cooled reads, or what they amount to by a hint
 * @param forecast what was learned of it; null where nothing learns
 * @param hinted what a hint made of its heat; null where there is none
 */
public record HotFile(FileView file, double heat, Forecast forecast, Hinted hinted) {

  /** As in the configuration and the REST interface. */
  private static final double MB = 1 << 20;

  /**
   * Hints that count.
   *
   * @param expected how hot it will be
   * @param asked the closest hint of each operation that is asked for beside that; may have the expected one, too
   * @param observed cooled reads without them
   */
  public record Hinted(Expectation expected, List<Expectation> asked, double observed) {
    public Hinted {
      asked = List.copyOf(asked);
    }

    /** For reasons. */
    String words() {
      return Stream.concat(
              Stream.of(expected.words()),
              asked.stream()
                  .filter(each -> !each.equals(expected))
                  .map(each -> each.operation() + " is asked for: " + each.words()))
          .collect(Collectors.joining("; "));
    }
  }

  /** Owners who are wrong more often than right get nothing done ahead of its use. */
  public static final double LEAST_BELIEF = 0.5;

  /**
   * The hint by which an operation is to be done: closest of its kind, of somebody who is believed, and nothing closer
   * says that the file will be cold.
   */
  Optional<Expectation> asks(Operation operation) {
    return hinted == null || !hinted.expected().isUp()
        ? Optional.empty()
        : hinted.asked().stream()
            .filter(each -> each.operation() == operation && each.isUp())
            .filter(each -> each.belief() >= LEAST_BELIEF)
            .findFirst();
  }

  /** Bytes of which learned thresholds count the reads. */
  public static final double GB = 1 << 30;

  /** Hottest byte first; the path decides between equals, so that an order is always the same. */
  static final Comparator<HotFile> HOTTEST_FIRST =
      Comparator.comparingDouble(HotFile::rank).reversed().thenComparing(hot -> hot.file().path());

  /** A file of which nothing is learned. */
  public HotFile(FileView file, double heat) {
    this(file, heat, null);
  }

  /** A file that no hint is about. */
  public HotFile(FileView file, double heat, Forecast forecast) {
    this(file, heat, forecast, null);
  }

  /** The same heat of the file as it is elsewhere. */
  public HotFile as(FileView shown) {
    return shown == file ? this : new HotFile(shown, heat, forecast, hinted);
  }

  /**
   * The same file with what was learned of it.
   *
   * @param halfLife of the heat
   */
  public HotFile with(Worth worth, ForecastScore score, Duration halfLife) {
    return new HotFile(file, heat, Forecast.of(this, worth, score, halfLife), hinted);
  }

  /**
   * The same file, as hot as a hint makes it.
   *
   * @param asked as {@link Hinted#asked}
   * @param halfLife of the heat
   */
  public HotFile with(Expectation expected, List<Expectation> asked, Duration halfLife) {
    return new HotFile(
        file,
        expected.heat(heat, halfLife.toMillis()),
        forecast,
        new Hinted(expected, asked, heat));
  }

  /** Whether it is what was learned that decides on it: of what is to come, a hint knows more than the past. */
  boolean isForecast() {
    return hinted == null && forecast != null && forecast.isInForce();
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
    if (hinted != null) {
      return counted() + " (" + hinted.words() + ")";
    }
    return isForecast() ? counted() + " (" + forecast.worth().numbers() + ")" : counted();
  }

  /** The heat in words. */
  String counted() {
    double seen = hinted == null ? heat : hinted.observed();
    double density = seen / Math.max(1, file.length()) * MB;
    return String.format(Locale.ROOT, "%.1f reads, %.1f a MB", seen, density);
  }
}
