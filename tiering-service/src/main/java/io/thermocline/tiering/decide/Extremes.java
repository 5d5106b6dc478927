// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import java.util.Arrays;
import java.util.List;

/** The files with the highest scores, as many as fit: a heap with the lowest on top. Not thread-safe. */
final class Extremes<T> {

  private static final int FIRST = 64;

  private final int most;
  private double[] scores = new double[FIRST];
  private long[] keys = new long[FIRST];
  private Object[] kept = new Object[FIRST];
  private int size;

  Extremes(int most) {
    this.most = most;
  }

  /** Most calls end at the first comparison. */
  void offer(double score, long key, Survey.Passing<T> file) {
    if (size < most || isAbove(score, key, 0)) {
      put(score, key, file.kept());
    }
  }

  @SuppressWarnings("unchecked") // Only put() fills the array, with what a Passing<T> gave.
  void addTo(List<T> all) {
    for (int i = 0; i < size; i++) {
      all.add((T) kept[i]);
    }
  }

  private boolean isAbove(double score, long key, int place) {
    return score != scores[place] ? score > scores[place] : key > keys[place];
  }

  private void put(double score, long key, Object value) {
    if (size == most) {
      down(score, key, value);
      return;
    }
    if (size == scores.length) {
      int larger = Math.min(most, 2 * size);
      scores = Arrays.copyOf(scores, larger);
      keys = Arrays.copyOf(keys, larger);
      kept = Arrays.copyOf(kept, larger);
    }
    int place = size++;
    while (place > 0 && !isAbove(score, key, (place - 1) / 2)) {
      take((place - 1) / 2, place);
      place = (place - 1) / 2;
    }
    set(place, score, key, value);
  }

  /** In place of the lowest. */
  private void down(double score, long key, Object value) {
    int place = 0;
    while (2 * place + 1 < size) {
      int child = 2 * place + 1;
      if (child + 1 < size && isAbove(scores[child], keys[child], child + 1)) {
        child++;
      }
      if (!isAbove(score, key, child)) {
        break;
      }
      take(child, place);
      place = child;
    }
    set(place, score, key, value);
  }

  private void take(int from, int to) {
    set(to, scores[from], keys[from], kept[from]);
  }

  private void set(int place, double score, long key, Object value) {
    scores[place] = score;
    keys[place] = key;
    kept[place] = value;
  }
}
