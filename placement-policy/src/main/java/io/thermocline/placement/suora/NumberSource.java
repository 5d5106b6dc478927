// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/** One pseudo-random generator of a data id: an endless row of numbers in {@code [0, range())}. */
public interface NumberSource {
  double next();

  /** Upper bound of the numbers, exclusive. */
  double range();
}
