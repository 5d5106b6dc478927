// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.TreeSet;

/** The members present at one time, by their weight, as a history is followed. Not thread-safe. */
final class Weights {
  final TreeSet<Entry> heaviestFirst = new TreeSet<>();
  double sum;

  void add(int member, double weight) {
    heaviestFirst.add(new Entry(member, weight));
    sum += weight;
  }

  void remove(int member, double weight) {
    heaviestFirst.remove(new Entry(member, weight));
    sum = heaviestFirst.isEmpty() ? 0 : sum - weight;
  }

  int size() {
    return heaviestFirst.size();
  }

  /** A member's weight. */
  static final class Entry implements Comparable<Entry> {
    final int member;
    final double weight;

    private Entry(int member, double weight) {
      this.member = member;
      this.weight = weight;
    }

    @Override
    public int compareTo(Entry other) {
      int byWeight = Double.compare(other.weight, weight);
      return byWeight != 0 ? byWeight : Integer.compare(member, other.member);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Entry && compareTo((Entry) other) == 0;
    }

    @Override
    public int hashCode() {
      return member;
    }
  }
}
