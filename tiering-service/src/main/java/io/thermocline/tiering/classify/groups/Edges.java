// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import java.util.Arrays;

/** Which objects are within the threshold of which: a sparse graph. Not thread-safe. */
final class Edges {
  private final int[] starts;
  private int[] ends = new int[16];
  private int size;
  private int[] near;

  Edges(int objects) {
    starts = new int[objects + 1];
  }

  void add(int a, int b) {
    if (size + 2 > ends.length) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    ends[size++] = a;
    ends[size++] = b;
    starts[a]++;
    starts[b]++;
  }

  /** To be called once, after the last was added. */
  void compile() {
    int total = 0;
    for (int i = 0; i < starts.length; i++) {
      total += starts[i];
      starts[i] = total;
    }
    near = new int[size];
    for (int i = 0; i < size; i += 2) {
      near[--starts[ends[i]]] = ends[i + 1];
      near[--starts[ends[i + 1]]] = ends[i];
    }
  }

  int[] of(int object) {
    return Arrays.copyOfRange(near, starts[object], starts[object + 1]);
  }
}
