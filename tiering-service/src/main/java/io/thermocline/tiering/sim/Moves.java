// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

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
}
