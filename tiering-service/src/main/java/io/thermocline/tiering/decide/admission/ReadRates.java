// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;

/**
 * How often files of a habit are read again, by how long ago their last read was: reads seen, by seconds
 * that files were seen without one. A class with little of its own leans on the files of the same count, as
 * many times as often as it is read in all, and those on all files.
 */
final class ReadRates {

  /** Reads that a class is thought to have had at the rate of its parent, before its own are believed. */
  private static final double COUNT_PRIOR = 0.3;

  private static final double HABIT_PRIOR = 4;

  /** Expected reads that a class needs before it is believed to be read more or less often than its parent. */
  private static final double FACTOR_PRIOR = 2;

  /** Of anything, before anything was seen: a read in four months. */
  private static final double FIRST_RATE = 1e-7;

  private final double[][] reads = new double[Habit.COUNT][Ages.COUNT];
  private final double[][] seconds = new double[Habit.COUNT][Ages.COUNT];
  private final double[][] rates = new double[Habit.COUNT][Ages.COUNT];
  private final double[][] indexes = new double[Habit.COUNT][Ages.COUNT];

  ReadRates() {
    refresh();
  }

  void read(int habit, double age) {
    reads[habit][Ages.bucket(age)]++;
  }

  /**
   * Files were seen from one age to another without a read, or up to one.
   *
   * @return reads that were to be expected in that time
   */
  double unread(int habit, double from, double to) {
    double expected = 0;
    double at = from;
    for (int bucket = Ages.bucket(from); at < to; bucket++) {
      double end = Math.min(to, Ages.begin(bucket) + Ages.length(bucket));
      seconds[habit][bucket] += end - at;
      expected += (end - at) * rates[habit][bucket];
      at = end;
    }
    return expected;
  }

  /** What was seen so far counts for a share of what it did. */
  void fade(double keep) {
    for (int habit = 0; habit < Habit.COUNT; habit++) {
      for (int age = 0; age < Ages.COUNT; age++) {
        reads[habit][age] *= keep;
        seconds[habit][age] *= keep;
      }
    }
  }

  /** Brings rates and indexes up to what was seen. */
  void refresh() {
    double[][] parents = parents();
    for (int habit = 0; habit < Habit.COUNT; habit++) {
      refreshRates(habit, parents[Habit.counts(habit)]);
    }
    double[] readIn = new double[Ages.COUNT];
    for (int habit = 0; habit < Habit.COUNT; habit++) {
      for (int age = 0; age < Ages.COUNT - 1; age++) {
        readIn[age] = -Math.expm1(-rates[habit][age] * Ages.length(age));
      }
      for (int age = 0; age < Ages.COUNT; age++) {
        indexes[habit][age] = index(rates[habit], readIn, age);
      }
    }
  }

  /** Rates of all files that were read as often, by the class of that count and the age. */
  private double[][] parents() {
    double[][] parents = new double[Habit.COUNTS][Ages.COUNT];
    for (int age = 0; age < Ages.COUNT; age++) {
      double[] countReads = new double[Habit.COUNTS];
      double[] countSeconds = new double[Habit.COUNTS];
      for (int habit = 0; habit < Habit.COUNT; habit++) {
        countReads[Habit.counts(habit)] += reads[habit][age];
        countSeconds[Habit.counts(habit)] += seconds[habit][age];
      }
      double all =
          (FIRST_RATE + Arrays.stream(countReads).sum()) / (1 + Arrays.stream(countSeconds).sum());
      for (int count = 0; count < Habit.COUNTS; count++) {
        parents[count][age] = leaning(countReads[count], countSeconds[count], COUNT_PRIOR, all);
      }
    }
    return parents;
  }

  private void refreshRates(int habit, double[] parent) {
    double seen = FACTOR_PRIOR;
    double expected = FACTOR_PRIOR;
    for (int age = 0; age < Ages.COUNT; age++) {
      seen += reads[habit][age];
      expected += seconds[habit][age] * parent[age];
    }
    for (int age = 0; age < Ages.COUNT; age++) {
      rates[habit][age] =
          leaning(
              reads[habit][age], seconds[habit][age], HABIT_PRIOR, parent[age] * seen / expected);
    }
  }

  private static double leaning(double reads, double seconds, double prior, double parent) {
    return (reads + prior) / (seconds + prior / parent);
  }

  /**
   * Gittins' index of waiting for the next read: the best there is, over all times to give up after, of the
   * chance of a read by then and the time that it takes (Gittins, Bandit processes and dynamic allocation
   * indices, 1979). Reads a second.
   */
  private static double index(double[] rates, double[] readIn, int from) {
    double best = 0;
    double unread = 1;
    double chance = 0;
    double waited = 0;
    for (int age = from; age < Ages.COUNT - 1; age++) {
      chance += unread * readIn[age];
      waited += unread * readIn[age] / rates[age];
      unread *= 1 - readIn[age];
      best = Math.max(best, chance / waited);
    }
    return best;
  }

  /** Reads a second from that age on, over the time that is the best to wait; 0 in the last bucket. */
  double index(int habit, double age) {
    return indexes[habit][Ages.bucket(age)];
  }

  /**
   * The chance that a file is read again while its index stays at least as high as given, from its last read
   * on.
   *
   * @param factor how many times as often as its habit says the file is read
   */
  double chance(int habit, double factor, double leastIndex) {
    double expected = 0;
    for (int age = 0; age < Ages.COUNT - 1; age++) {
      if (indexes[habit][age] * factor < leastIndex) {
        break;
      }
      expected += rates[habit][age] * factor * Ages.length(age);
    }
    return -Math.expm1(-expected);
  }

  /** The chance of a read within a time after the last one, in seconds. */
  double chanceWithin(int habit, double factor, double seconds) {
    double expected = 0;
    for (int age = 0; age < Ages.COUNT && Ages.begin(age) < seconds; age++) {
      expected +=
          (Math.min(seconds, Ages.begin(age) + Ages.length(age)) - Ages.begin(age))
              * rates[habit][age];
    }
    return -Math.expm1(-expected * factor);
  }

  void writeTo(StateSink sink) {
    for (int habit = 0; habit < Habit.COUNT; habit++) {
      sink.reals(reads[habit]);
      sink.reals(seconds[habit]);
      // As they were when they were brought up to date last.
      sink.reals(rates[habit]);
      sink.reals(indexes[habit]);
    }
  }

  void restore(StateSource source) {
    for (int habit = 0; habit < Habit.COUNT; habit++) {
      source.reals(reads[habit]);
      source.reals(seconds[habit]);
      source.reals(rates[habit]);
      source.reals(indexes[habit]);
    }
  }

  /** The chance of a read from an age on, before the last bucket. */
  double chanceFrom(int habit, double factor, double age) {
    double expected = 0;
    double at = age;
    for (int bucket = Ages.bucket(age); bucket < Ages.COUNT - 1; bucket++) {
      double end = Ages.begin(bucket) + Ages.length(bucket);
      expected += (end - at) * rates[habit][bucket];
      at = end;
    }
    return -Math.expm1(-expected * factor);
  }
}
