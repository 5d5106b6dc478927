// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

/** What counts reads of items. */
interface HeatPeer {

  /**
   * @param reads 1 wherever time is measured
   */
  void add(long key, int reads);

  double estimate(long key);

  long bytes();

  /** Lets a step of time pass, an eighth of a half-life; those without decay do nothing. */
  default void cool() {}
}
