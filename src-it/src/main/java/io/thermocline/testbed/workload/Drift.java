// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/** A ranking of files that changes with time: hot files are exchanged with cold ones, one by one. */
final class Drift {

  private final int[] ranking;
  private final List<Exchange> exchanges;
  private int applied;

  private Drift(int[] ranking, List<Exchange> exchanges) {
    this.ranking = ranking;
    this.exchanges = exchanges;
  }

  private record Exchange(double at, int hotRank, int coldRank) {}

  /**
   * Plans exchanges at equal distances over the trace. A file is followed by one of about its size, as a
   * month's part of a table is by the next month's.
   *
   * @param ranking files from hot to cold at the start
   * @param sizes in bytes, by file
   * @param share of the hot files that are exchanged
   * @param rising which cold files turn hot; when they are used up, no more is exchanged
   */
  static Drift plan(
      int[] ranking, long[] sizes, double share, IntPredicate rising, SplittableRandom random) {
    int hot = (int) Math.round(ranking.length * GeneratedWorkload.HOT_SHARE);
    List<Integer> leaving = spread(hot, share, random.nextDouble());
    List<Integer> coldRanks = new ArrayList<>();
    for (int rank = hot; rank < ranking.length; rank++) {
      if (rising.test(ranking[rank])) {
        coldRanks.add(rank);
      }
    }
    int count = Math.min(leaving.size(), coldRanks.size());
    // Hotter and less hot ones leave early and late alike, for the reason that spread gives.
    int[] order = EvenOrder.of(leaving.size());
    List<Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = leaving.get(order[i]);
      long size = sizes[ranking[from]];
      Integer to =
          coldRanks.stream()
              .min(Comparator.comparingLong(rank -> Math.abs(sizes[ranking[rank]] - size)))
              .orElseThrow();
      coldRanks.remove(to);
      exchanges.add(new Exchange((i + 1.0) / (count + 1), from, to));
    }
    return new Drift(ranking.clone(), exchanges);
  }

  /**
   * A share of the ranks, at equal distances: the first ranks weigh so much in Zipf's law that chosen
   * freely they alone would decide how much the workload drifts.
   */
  private static List<Integer> spread(int ranks, double share, double offset) {
    List<Integer> chosen = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      if (Math.floor((rank + 1) * share + offset) > Math.floor(rank * share + offset)) {
        chosen.add(rank);
      }
    }
    return chosen;
  }

  /**
   * The file of this rank.
   *
   * @param time share of the trace that has passed, not before that of an earlier call
   */
  int fileAt(int rank, double time) {
    while (applied < exchanges.size() && exchanges.get(applied).at() <= time) {
      Exchange exchange = exchanges.get(applied++);
      int file = ranking[exchange.hotRank()];
      ranking[exchange.hotRank()] = ranking[exchange.coldRank()];
      ranking[exchange.coldRank()] = file;
    }
    return ranking[rank];
  }
}
