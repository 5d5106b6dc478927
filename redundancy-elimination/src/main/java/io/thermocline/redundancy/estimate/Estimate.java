// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.estimate;

import io.thermocline.redundancy.content.FileKind;
import io.thermocline.redundancy.flow.ChunkingRecord;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the link would save on a directory.
 *
 * @param files of the directory
 * @param bytes of the directory
 * @param sampledFiles that were read, the last one perhaps in part
 * @param kinds of the files that were read
 */
public record Estimate(
    int files, long bytes, int sampledFiles, long sampledBytes, Map<FileKind, OfKind> kinds) {

  /** Below that a method isn't worth its time, in shares of all bytes. */
  private static final double WORTHWHILE = 0.02;

  private static final String AS_IT_IS = "as it is";

  /** Sums of one kind of file. */
  static final class OfKind {
    int files;
    long bytes;
    final Map<String, ChunkingRecord> byRule = new LinkedHashMap<>();

    /** The cheapest method within two points of the best: as it is, zstd, fixed, then content-defined from large to small. */
    String best() {
      double highest = byRule.values().stream().mapToDouble(ChunkingRecord::ratio).max().orElse(0);
      if (highest < WORTHWHILE) {
        return AS_IT_IS;
      }
      String best = Estimator.ZSTD;
      for (Map.Entry<String, ChunkingRecord> each : byRule.entrySet()) {
        if (each.getValue().ratio() >= highest - WORTHWHILE) {
          best = each.getKey();
          if (!best.startsWith("content")) {
            break;
          }
        }
      }
      return best;
    }

    long sentBy(String rule) {
      ChunkingRecord record = byRule.get(rule);
      return record == null ? bytes : Math.min(bytes, record.sendingSize());
    }
  }

  /** Share of the sampled bytes that needn't be sent if each kind is sent by its best method. */
  public double saved() {
    long sent = kinds.values().stream().mapToLong(kind -> kind.sentBy(kind.best())).sum();
    return sampledBytes == 0 ? 0 : 1 - (double) sent / sampledBytes;
  }

  /**
   * For people to read.
   *
   * @param bitsPerSecond of the link
   */
  public String text(long bitsPerSecond) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d files, %s; read: %,d files, %s%n",
            files,
            size(bytes),
            sampledFiles,
            size(sampledBytes)));
    if (sampledBytes == 0) {
      return text + "Verdict: there is nothing to send.\n";
    }
    text.append(
        String.format(
            Locale.ROOT, "%nBytes saved, in %%:%n%-12s %7s %10s", "kind", "files", "size"));
    Estimator.RULES
        .keySet()
        .forEach(rule -> text.append(String.format(Locale.ROOT, " %12s", rule)));
    text.append("  best\n");
    kinds.forEach((kind, sums) -> row(text, kind, sums));
    text.append("\nFixed and content-defined chunks include zstd where it is worthwhile.\n");
    if (sampledBytes < bytes) {
      text.append(
          "Only a part was read: files that resemble files outside of it save more. Raise --sample to see.\n");
    }
    verdict(text, bitsPerSecond);
    return text.toString();
  }

  private static void row(StringBuilder text, FileKind kind, OfKind sums) {
    text.append(
        String.format(
            Locale.ROOT,
            "%-12s %,7d %10s",
            kind.name().toLowerCase(Locale.ROOT).replace('_', '-'),
            sums.files,
            size(sums.bytes)));
    for (String rule : Estimator.RULES.keySet()) {
      ChunkingRecord record = sums.byRule.getOrDefault(rule, ChunkingRecord.NOTHING);
      text.append(String.format(Locale.ROOT, " %12.1f", 100 * record.ratio()));
    }
    text.append("  ").append(sums.best()).append('\n');
  }

  private void verdict(StringBuilder text, long bitsPerSecond) {
    double zstd = 1 - (double) sent(Estimator.ZSTD) / sampledBytes;
    double plainSeconds = bytes * 8.0 / bitsPerSecond;
    text.append(
        String.format(
            Locale.ROOT,
            "%nAt %,d Mbit/s: %s as it is, %s with zstd, %s with the best of each kind.%n",
            bitsPerSecond / 1_000_000,
            time(plainSeconds),
            time(plainSeconds * (1 - Math.max(0, zstd))),
            time(Math.max(plainSeconds * (1 - saved()), processingSeconds()))));
    String verdict;
    if (saved() < WORTHWHILE) {
      verdict = "don't. Copy with DistCp: the link would save nothing.";
    } else if (saved() - zstd < WORTHWHILE) {
      verdict =
          "don't use chunking. Any copy that compresses saves as much: "
              + String.format(Locale.ROOT, "%.1f %%.", 100 * zstd);
    } else {
      verdict =
          String.format(
              Locale.ROOT,
              "use the link. It saves %.1f %%, zstd alone %.1f %%.",
              100 * saved(),
              100 * zstd);
    }
    text.append("Verdict: ").append(verdict).append('\n');
  }

  private long sent(String rule) {
    return kinds.values().stream().mapToLong(kind -> kind.sentBy(rule)).sum();
  }

  /** Of one core, for all bytes. */
  private double processingSeconds() {
    double seconds = 0;
    for (OfKind kind : kinds.values()) {
      ChunkingRecord record = kind.byRule.get(kind.best());
      seconds += record == null ? 0 : record.processingNanos() / 1e9;
    }
    return seconds * bytes / sampledBytes;
  }

  private static String size(long bytes) {
    if (bytes < 10_000) {
      return bytes + " B";
    }
    String[] units = {"KB", "MB", "GB", "TB"};
    double value = bytes / 1e3;
    int unit = 0;
    while (value >= 1000 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  private static String time(double seconds) {
    if (seconds < 120) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    return seconds < 7200
        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }
}
