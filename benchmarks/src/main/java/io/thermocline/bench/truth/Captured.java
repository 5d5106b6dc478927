// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import io.thermocline.testbed.audit.FileReads;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** How much of the true disk time an order of files finds. Immutable. */
final class Captured {
  private final List<FileReads> files;
  private final ToDoubleFunction<FileReads> seconds;
  private final double allBytes;

  /** @param seconds true disk time of a file */
  Captured(List<FileReads> files, ToDoubleFunction<FileReads> seconds) {
    this.files = files.stream().filter(file -> file.length() > 0).toList();
    this.seconds = seconds;
    this.allBytes = this.files.stream().mapToDouble(FileReads::length).sum();
  }

  double allSeconds() {
    return files.stream().mapToDouble(seconds).sum();
  }

  /**
   * Of the disk time that so many percent of the bytes carry at most, the share that as many carry in this order, at each
   * percentage. A file that fits in part counts in part; of files with equal ranks, bytes are taken from all alike.
   */
  double[] shares(double[] percent, ToDoubleFunction<FileReads> rank) {
    double[] most = carried(percent, file -> seconds.applyAsDouble(file) / file.length());
    double[] found = carried(percent, rank);
    return IntStream.range(0, percent.length)
        .mapToDouble(at -> most[at] == 0 ? 1 : found[at] / most[at])
        .toArray();
  }

  private record Ranked(double rank, double bytes, double seconds) {}

  private double[] carried(double[] percent, ToDoubleFunction<FileReads> rank) {
    Ranked[] order =
        files.stream()
            .map(
                file ->
                    new Ranked(
                        rank.applyAsDouble(file), file.length(), seconds.applyAsDouble(file)))
            .sorted(Comparator.comparingDouble(Ranked::rank).reversed())
            .toArray(Ranked[]::new);
    return Arrays.stream(percent).map(share -> carried(order, share / 100 * allBytes)).toArray();
  }

  private static double carried(Ranked[] order, double bytes) {
    double left = bytes;
    double sum = 0;
    for (int from = 0; from < order.length && left > 0; ) {
      int to = from;
      double equalBytes = 0;
      double equalSeconds = 0;
      while (to < order.length && order[to].rank() == order[from].rank()) {
        equalBytes += order[to].bytes();
        equalSeconds += order[to].seconds();
        to++;
      }
      double part = Math.min(1, left / equalBytes);
      sum += part * equalSeconds;
      left -= part * equalBytes;
      from = to;
    }
    return sum;
  }

  /** Quantiles of a ratio over the files that carry the most true disk time a byte, up to so many percent of the bytes. */
  double[] ratios(double percent, ToDoubleFunction<FileReads> estimate, double... quantiles) {
    List<FileReads> order =
        files.stream()
            .filter(file -> seconds.applyAsDouble(file) > 0)
            .sorted(
                Comparator.comparingDouble(
                        (FileReads file) -> seconds.applyAsDouble(file) / file.length())
                    .reversed())
            .toList();
    double bytes = 0;
    int hot = 0;
    while (hot < order.size() && (hot == 0 || bytes < percent / 100 * allBytes)) {
      bytes += order.get(hot++).length();
    }
    double[] ratios =
        order.subList(0, hot).stream()
            .mapToDouble(file -> estimate.applyAsDouble(file) / seconds.applyAsDouble(file))
            .sorted()
            .toArray();
    return Arrays.stream(quantiles)
        .map(at -> ratios.length == 0 ? 0 : ratios[(int) Math.round(at * (ratios.length - 1))])
        .toArray();
  }
}
