// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

/** How many copies of a file climb as it gets hotter. */
public enum Promotion {
  /** One, which goes on climbing: readers take the fastest. */
  ONE_COPY,
  /** One, and on SSD all others too, where the read order leaves them reads that are worth it. */
  ONE_OR_ALL,
  /** One for each fast type that the heat reaches, as SUORA's algorithm 3 does. */
  GRADUAL
}
