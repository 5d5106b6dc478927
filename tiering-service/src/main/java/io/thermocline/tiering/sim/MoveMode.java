// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/** How soon a decision takes effect. */
public enum MoveMode {
  /** At once after each access, as in a cache: an upper bound for what a policy can know. */
  IMMEDIATE,
  /** Decisions from time to time, moves one after the other at the tiers' bandwidth, as the service works. */
  LIVE
}
