// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/** Takes accesses, in the order in which they happened. One thread gives them. */
@FunctionalInterface
public interface AccessSink {

  /** An access happened. */
  void accept(Access access);

  /**
   * These accesses may come soon: what they will be looked up in can be fetched from memory now, so that the waiting for
   * one overlaps with that for the others. Must not change anything.
   *
   * @param count how many there are, from the first on
   */
  default void expect(Access[] soon, int count) {}
}
