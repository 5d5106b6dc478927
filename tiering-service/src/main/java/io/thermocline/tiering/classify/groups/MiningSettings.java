// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import java.time.Duration;

/**
 * What counts as together, as close, as hot, and how much memory it may take.
 *
 * @param window accesses further apart aren't together: max_window
 * @param neighbours of the accesses within the window, so many before each one are compared with it
 * @param leastTogether objects that were together less often are strangers; PRS calls once not stable
 * @param distance largest in a group: dis_thr, 0 to 1
 * @param step by which that is lowered for a group that is too large: alpha, above 0
 * @param objects most in a group: obj_thr, at least 2
 * @param hotShare of the objects that are hot, 0 to 1: the fast tiers' share of all capacity
 * @param period hot objects of one group were last read in the same one; zero for no such limit
 * @param smallBytes a smaller access is small
 * @param mostObjects that are kept in memory
 * @param partners most that are kept of each object, 2 to 127
 * @param readers that are told apart at a time
 * @param chance that strangers pass for objects that belong together, in all that is found by time: above 0, to 1 (no test)
 */
public record MiningSettings(
    Duration window,
    int neighbours,
    int leastTogether,
    double distance,
    double step,
    int objects,
    double hotShare,
    Duration period,
    long smallBytes,
    int mostObjects,
    int partners,
    int readers,
    double chance) {

  public MiningSettings {
    if (window.isNegative() || period.isNegative()) {
      throw new IllegalArgumentException(
          "window and period are from 0 on, got " + window + " and " + period);
    }
    if (neighbours < 1
        || neighbours > ReaderWindow.MOST
        || readers < 1
        || leastTogether < 1
        || objects < 2
        || mostObjects < 2
        || partners < 2
        || partners > 127) {
      throw new IllegalArgumentException(
          ("neighbours (%d), readers (%d) and leastTogether (%d) are at least 1, objects (%d),"
                  + " mostObjects (%d) and partners (%d) at least 2, neighbours at most %d, partners"
                  + " at most 127")
              .formatted(
                  neighbours,
                  readers,
                  leastTogether,
                  objects,
                  mostObjects,
                  partners,
                  ReaderWindow.MOST));
    }
    if (!(distance >= 0 && distance <= 1)
        || !(step > 0)
        || !(hotShare >= 0 && hotShare <= 1)
        || !(chance > 0 && chance <= 1)) {
      throw new IllegalArgumentException(
          "distance (%s) and hotShare (%s) are 0 to 1, step (%s) and chance (%s) above 0"
              .formatted(distance, hotShare, step, chance));
    }
  }

  /**
   * For what a cluster's logs tell of files: an open comes before its reads, some readers skip some, and others read one
   * of a set alone.
   */
  public static MiningSettings ofFiles() {
    return defaults()
        .withWindow(Duration.ofSeconds(2))
        .withDistance(0.5, 0.01, 10)
        .withReaders(1 << 14, 0.01);
  }

  /** The same of blocks. */
  public static MiningSettings ofBlocks() {
    return ofFiles().withWindow(defaults().window());
  }

  /** Those of the paper (section 4); where it is silent, ours. */
  public static MiningSettings defaults() {
    return new MiningSettings(
        Duration.ofMillis(10),
        32,
        2,
        0.1,
        0.01,
        10,
        0.1,
        Duration.ofMinutes(1),
        128 << 10,
        1 << 20,
        16,
        1 << 14,
        1);
  }

  public MiningSettings withWindow(Duration value) {
    return new MiningSettings(
        value,
        neighbours,
        leastTogether,
        distance,
        step,
        objects,
        hotShare,
        period,
        smallBytes,
        mostObjects,
        partners,
        readers,
        chance);
  }

  public MiningSettings withDistance(double largest, double lowering, int most) {
    return new MiningSettings(
        window,
        neighbours,
        leastTogether,
        largest,
        lowering,
        most,
        hotShare,
        period,
        smallBytes,
        mostObjects,
        partners,
        readers,
        chance);
  }

  public MiningSettings withHot(double share, Duration within) {
    return new MiningSettings(
        window,
        neighbours,
        leastTogether,
        distance,
        step,
        objects,
        share,
        within,
        smallBytes,
        mostObjects,
        partners,
        readers,
        chance);
  }

  public MiningSettings withPeriod(Duration within) {
    return withHot(hotShare, within);
  }

  public MiningSettings withMemory(int objectsKept, int partnersKept) {
    return new MiningSettings(
        window,
        neighbours,
        leastTogether,
        distance,
        step,
        objects,
        hotShare,
        period,
        smallBytes,
        objectsKept,
        partnersKept,
        readers,
        chance);
  }

  public MiningSettings withReaders(int toldApart, double mistaken) {
    return new MiningSettings(
        window,
        neighbours,
        leastTogether,
        distance,
        step,
        objects,
        hotShare,
        period,
        smallBytes,
        mostObjects,
        partners,
        toldApart,
        mistaken);
  }
}
