// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

/**
 * The seam for crashes: asked on both sides of each line of the journal, and so between any two steps of a move. Does
 * nothing but in tests, where it ends the process.
 */
@FunctionalInterface
public interface FaultPoint {

  /** Where nothing happens. */
  FaultPoint NONE = name -> {};

  /**
   * @param name what is recorded, and whether it is yet: "COPYING.unrecorded", "policy.recorded"
   */
  void at(String name);
}
