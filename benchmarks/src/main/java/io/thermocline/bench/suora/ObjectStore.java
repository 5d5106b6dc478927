// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import java.util.List;
import java.util.SplittableRandom;

/** Where the replicas of objects are on the nodes of a {@link Testbed}. One thread. */
interface ObjectStore {
  /** Of each object, in section 4. */
  int REPLICAS = 2;

  /** A replica that is to be copied to another node, and is gone from the first when that is done. */
  record Copying(int object, int from, int to) {}

  /** What an object is placed by; of every seed another. */
  static long id(int object, long seed) {
    return seed << Integer.SIZE | object;
  }

  /** The node that a read of an object goes to. */
  int read(int object, SplittableRandom random);

  /** The nodes that a write of an object goes to; not to be changed. */
  int[] nodes(int object);

  /** What should be moved as of now, in order; asked when all that was asked for before is done. */
  default List<Copying> plan() {
    return List.of();
  }

  /** A copy of {@link #plan} is complete. */
  default void copied(Copying copying) {
    throw new IllegalStateException("asked for no copy: " + copying);
  }

  /** A half-life passes. */
  default void cool() {}
}
