// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.tiering.observe.FileView;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Some of many paths, as if all had been put in order: what is looked at a little with each plan
 * comes in turn, however files are listed. Most paths cost two comparisons.
 */
public final class NextPaths {
  private NextPaths() {}

  /**
   * The first so many, in their order, of those behind one.
   *
   * @param after none of which is given; empty for the beginning
   * @param most 1 or more
   */
  public static List<String> of(Collection<FileView> files, String after, int most) {
    PriorityQueue<String> first = new PriorityQueue<>(Comparator.reverseOrder());
    for (FileView file : files) {
      String path = file.path();
      if (path.compareTo(after) > 0
          && (first.size() < most || path.compareTo(first.element()) < 0)) {
        if (first.size() == most) {
          first.remove();
        }
        first.add(path);
      }
    }
    return first.stream().sorted().toList();
  }
}
