// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

/** Which device may join those that have a replica already. That it is another one goes without saying. */
@FunctionalInterface
public interface SpreadRule {
  /** Any will do. */
  SpreadRule ANY = (device, devices, from, to) -> true;

  /**
   * Whether the device may be the next.
   *
   * @param devices those before it stand from index {@code from} to before {@code to}
   */
  boolean allows(int device, int[] devices, int from, int to);
}
