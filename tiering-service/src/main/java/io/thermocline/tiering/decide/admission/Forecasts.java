// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Compares what was forecast at each read with what came: is the file read again within half an hour, the
 * class window of Octopus++ (Herodotou and Kakoulli, PVLDB 2019)? By the learned chance being above a cut,
 * and by the number of reads so far being at least a threshold; of both, the best one counts.
 */
final class Forecasts {
  /** Seconds. */
  static final double HORIZON = 1_800;

  /** Cuts of the chance: a tenth, two tenths and so on; thresholds: one read, two, and so on. */
  private static final int CUTS = 9;

  private record Forecast(long key, double at, double chance, int reads) {}

  private final int most;
  private final Deque<Forecast> open = new ArrayDeque<>();
  private final double[] chanceRight = new double[CUTS + 1];
  private final double[] chanceWrong = new double[CUTS + 1];
  private final double[] countRight = new double[CUTS + 1];
  private final double[] countWrong = new double[CUTS + 1];
  private double happened;

  /** When a file was read last. */
  interface LastRead {
    /** Time in seconds; minus infinity if it isn't known. */
    double of(long key);
  }

  /**
   * @param most forecasts that wait for their outcome; of more, the oldest is forgotten
   */
  Forecasts(int most) {
    this.most = most;
  }

  /** A file was read, a gap after its forecast. */
  void came(double gap, double chance, int reads) {
    if (gap <= HORIZON) {
      happened++;
      settle(chanceRight, countRight, chance, reads);
    }
  }

  void open(long key, double at, double chance, int reads) {
    open.add(new Forecast(key, at, chance, reads));
    if (open.size() > most) {
      open.remove();
    }
  }

  /** Settles forecasts whose time is over; those of files that were read since are settled already. */
  void expire(double now, LastRead lastRead) {
    while (!open.isEmpty() && open.peek().at() + HORIZON < now) {
      Forecast over = open.remove();
      if (lastRead.of(over.key()) == over.at()) {
        settle(chanceWrong, countWrong, over.chance(), over.reads());
      }
    }
  }

  private static void settle(double[] chances, double[] counts, double chance, int reads) {
    for (int cut = 1; cut <= CUTS; cut++) {
      chances[cut] += chance * (CUTS + 1) >= cut ? 1 : 0;
      counts[cut] += reads >= cut ? 1 : 0;
    }
  }

  void fade(double keep) {
    happened *= keep;
    for (int cut = 1; cut <= CUTS; cut++) {
      chanceRight[cut] *= keep;
      chanceWrong[cut] *= keep;
      countRight[cut] *= keep;
      countWrong[cut] *= keep;
    }
  }

  /** F1 of the learned chance, 0 to 1; 0 if nothing was read again. */
  double learnedF1() {
    return bestF1(chanceRight, chanceWrong);
  }

  /** F1 of the number of reads. */
  double thresholdF1() {
    return bestF1(countRight, countWrong);
  }

  private double bestF1(double[] right, double[] wrong) {
    double best = 0;
    for (int cut = 1; cut <= CUTS; cut++) {
      double all = right[cut] + wrong[cut] + happened;
      best = Math.max(best, all == 0 ? 0 : 2 * right[cut] / all);
    }
    return best;
  }

  void writeTo(StateSink sink) {
    for (double[] settled : List.of(chanceRight, chanceWrong, countRight, countWrong)) {
      sink.reals(settled);
    }
    sink.real(happened);
    sink.number(open.size());
    for (Forecast forecast : open) {
      sink.number(forecast.key());
      sink.real(forecast.at());
      sink.real(forecast.chance());
      sink.number(forecast.reads());
    }
  }

  void restore(StateSource source) {
    for (double[] settled : List.of(chanceRight, chanceWrong, countRight, countWrong)) {
      source.reals(settled);
    }
    happened = source.real();
    for (int left = source.size(most); left > 0; left--) {
      open.add(new Forecast(source.number(), source.real(), source.real(), (int) source.number()));
    }
  }
}
