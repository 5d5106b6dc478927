// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

/**
 * How much of the fast types is for what is prefetched: the room between the watermarks, up to this.
 *
 * @param most bytes on each type
 * @param perOwner bytes of them for the hints of one owner
 */
public record PrefetchLimits(long most, long perOwner) {

  public static final PrefetchLimits NONE = new PrefetchLimits(0, 0);

  public PrefetchLimits {
    if (most < 0 || perOwner < 0 || perOwner > most) {
      throw new IllegalArgumentException(
          most + " bytes, " + perOwner + " an owner: expected 0 <= perOwner <= most");
    }
  }
}
