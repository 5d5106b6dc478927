// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.tiering.decide.admission.AdmissionEstimate;
import io.thermocline.tiering.decide.admission.ForecastScore;
import io.thermocline.tiering.heat.Opens;
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
 * A file with how hot it is. Files differ in size and in blocks, so what a byte of a fast tier brings is the disk time
 * per byte: by that they are ranked (the paper's data items are all of one size, there reads give the same
 * order).
 *
 * @param heat cooled reads of the whole file: as many block reads as it has blocks are one. Or what they amount to by
 *     a hint
 * @param forecast what was learned of it; null where nothing learns
 * @param hinted what a hint made of its heat; null where there is none
 */
public record HotFile(FileView file, double heat, Forecast forecast, Hinted hinted) {

  /** Of an ordinary disk, by which disk time is told: seconds to a block, and bytes a second from there. */
  private static final double SEEK = 0.01;

  private static final double BANDWIDTH = 150e6;

  /** Where HBase keeps its tables. A region server opens a file once, and reads from it for long, a little at a time. */
  private static final String HBASE = "/hbase/data/";

  /** So much disk time an open by HBase stands for, whatever the file's length: a thousand gets. */
  private static final double SECONDS_OF_A_STREAM = 1000 * (SEEK + (64 << 10) / BANDWIDTH);

  /** As many bytes as a block mostly has, of files whose blocks aren't known. */
  private static final long BLOCK = 128L << 20;

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
            .filter(each -> each.reliability() >= LEAST_BELIEF)
            .findFirst();
  }

  /** Bytes of which learned thresholds count the disk time. */
  public static final double GB = 1 << 30;

  /** Hottest byte first; the path decides between equals, so that an order is always the same. */
  static final Comparator<HotFile> HOTTEST_FIRST =
      Comparator.comparingDouble(HotFile::rank).reversed().thenComparing(hot -> hot.file().path());

  /** A file of which nothing is learned. */
  public HotFile(FileView file, double heat) {
    this(file, heat, null);
  }

  /**
   * A file as hot as its opens make it: an open counts as the share of a read of the whole file that it takes of disk time.
   */
  public static HotFile opened(FileView file, Opens opens) {
    return new HotFile(file, reads(file.path(), blocks(file), file.length(), opens));
  }

  /** The same file with as much of its heat as page caches leave to disks. */
  HotFile ofDisks(Opens opens) {
    double left = isOfHbase(file.path()) ? 1 : opens.ofDisks(blocks(file));
    return left == 1 ? this : new HotFile(file, left * heat);
  }

  /** How many reads of the whole file opens count as. */
  public static double reads(String path, int blocks, long length, Opens opens) {
    double all = seconds(blocks, length);
    double read =
        isOfHbase(path)
            ? SECONDS_OF_A_STREAM
            : seconds(blocks * opens.requests(), length * opens.share());
    return opens.wholeReads(blocks) * read / all;
  }

  /** Whether no open tells how much a file is read. */
  static boolean isOfHbase(String path) {
    return path.contains(HBASE);
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
   * @param each reads of the whole file that one read, as it is learned, stands for
   * @param halfLife of the heat
   */
  public HotFile with(
      AdmissionEstimate estimate, ForecastScore score, double each, Duration halfLife) {
    return new HotFile(file, heat, Forecast.of(this, estimate, score, each, halfLife), hinted);
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

  /** By which files are ranked: cooled seconds of disk time per byte, or what the expected reads amount to. */
  public double rank() {
    return isForecast() ? diskSeconds(forecast.heat()) / Math.max(1, file.length()) : density();
  }

  /** Cooled seconds of disk time per byte. */
  public double density() {
    return diskSeconds() / Math.max(1, file.length());
  }

  /** Cooled seconds that disks would take for the reads. */
  public double diskSeconds() {
    return diskSeconds(heat);
  }

  private double diskSeconds(double reads) {
    return reads * seconds(blocks(file), file.length());
  }

  /** Of an ordinary disk. */
  static double seconds(double requests, double bytes) {
    return requests * SEEK + bytes / BANDWIDTH;
  }

  /** Cooled reads of its blocks. */
  public double blockReads() {
    return heat * blocks(file);
  }

  /** How many blocks a reader of the whole file reads, at least 1; of an erasure-coded file no parity. */
  public static int blocks(FileView file) {
    int blocks =
        file.blocks().isEmpty()
            ? (int) Math.min(Integer.MAX_VALUE, (file.length() + BLOCK - 1) / BLOCK)
            : file.blocks().size();
    if (file.isErasureCoded()) {
      int all = file.coding().data() + file.coding().parity();
      blocks = (int) ((long) blocks * file.coding().data() / all);
    }
    return Math.max(1, blocks);
  }

  /** What it is ranked by in words, for reasons. */
  String numbers() {
    if (hinted != null) {
      return counted() + " (" + hinted.words() + ")";
    }
    return isForecast() ? counted() + " (" + forecast.estimate().numbers() + ")" : counted();
  }

  /** The heat in words. */
  String counted() {
    double seen = hinted == null ? heat : hinted.observed();
    return String.format(
        Locale.ROOT,
        "%.1f block reads, %.2f s of disk time",
        seen * blocks(file),
        diskSeconds(seen));
  }
}
