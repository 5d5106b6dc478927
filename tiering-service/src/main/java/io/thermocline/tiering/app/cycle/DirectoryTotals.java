// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * How much lies in each directory, and how hot it is, where too many files pass to keep each. Where there are too many
 * directories, deep ones count in those above them. Not thread-safe.
 */
public final class DirectoryTotals {

  /** Of directories; some tens of megabytes. */
  private static final int MOST = 100_000;

  private final int most;
  private Map<String, Total> totals = new HashMap<>();
  private int depth = Integer.MAX_VALUE;

  /**
   * What lies in a directory itself, not in those below it.
   *
   * @param heat of all its files
   * @param fast bytes of files that a fast type leads
   */
  public record Total(double heat, int files, long bytes, long fast) {
    Total plus(Total other) {
      return new Total(
          heat + other.heat, files + other.files, bytes + other.bytes, fast + other.fast);
    }
  }

  DirectoryTotals() {
    this(MOST);
  }

  DirectoryTotals(int most) {
    this.most = most;
  }

  void add(FileView file, double heat, StorageType lead) {
    long length = file.length();
    add(file.path(), new Total(heat, 1, length, lead.isFast() ? length : 0));
    while (totals.size() > most && depth > 0) {
      cut();
    }
  }

  /** Adds to the directory of a path, as deep as directories are kept apart. */
  private void add(String path, Total total) {
    int end = path.lastIndexOf('/');
    int names = 0;
    for (int i = 0; i <= end && names <= depth; i++) {
      if (path.charAt(i) == '/' && names++ == depth) {
        end = i;
      }
    }
    totals.merge(path.substring(0, Math.max(0, end)), total, Total::plus);
  }

  private void cut() {
    int deepest = 1;
    for (String directory : totals.keySet()) {
      deepest = Math.max(deepest, (int) directory.chars().filter(c -> c == '/').count());
    }
    depth = deepest - 1;
    Map<String, Total> before = totals;
    totals = new HashMap<>();
    before.forEach((directory, total) -> add(directory + "/", total));
  }

  /**
   * @param sink is told each directory, without a slash at its end, and what lies in it
   */
  public void forEach(BiConsumer<String, Total> sink) {
    totals.forEach(sink);
  }
}
