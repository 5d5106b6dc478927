// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.function.Supplier;

/** Where a policy says what is to move, in the order in which it is to happen. */
@FunctionalInterface
public interface Moves {

  /**
   * Asks for a file to be moved to a tier. Where moves are immediate it has happened on return. Where they
   * take time it is queued: it begins when those before it have ended, if the target has room for it
   * then; if not, it is dropped and counted as refused.
   *
   * @return false if it isn't done: the file is there or moving, or the target has no room at once in
   *     immediate mode, or is smaller than the file
   */
  boolean move(int file, int tier);

  /**
   * Live mode: asks for some of a file's copies to be moved. It takes the time of its bytes; room is the asker's
   * business.
   */
  default void copy(Copy copy) {
    throw new UnsupportedOperationException("copies take their time, and moves are immediate here");
  }

  /**
   * Some of a file's copies.
   *
   * @param bytes of them
   * @param source tier that is read
   * @param target tier that is written
   * @param done is called when it is complete, and says which share of the file's reads each tier serves from
   *     then on
   */
  record Copy(int file, long bytes, int source, int target, Supplier<double[]> done) {}
}
