// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/**
 * Where every file is, as a policy may see it. Tiers are numbered from the slowest, 0, to the fastest.
 * Every file is on the home tier until it is moved.
 */
public interface TierState {

  /** Virtual time since the trace's begin, in microseconds. */
  long nowMicros();

  /** How many files the trace has: their indexes are below it. */
  int files();

  /** How many tiers there are. */
  int tiers();

  /** The tier where files begin. */
  int home();

  /** The fastest tier. */
  default int fastest() {
    return tiers() - 1;
  }

  /** Bytes that fit on a tier. */
  long capacity(int tier);

  /** Bytes of the files on a tier, and of those that are being copied to it. */
  long used(int tier);

  /** Bytes that a move to the tier may take now. */
  default long free(int tier) {
    return capacity(tier) - used(tier);
  }

  /** Size of a file in bytes. */
  long bytes(int file);

  /** The tier that serves the file now. */
  int tierOf(int file);

  /** Whether the file is being copied to another tier; it can't be moved meanwhile. */
  boolean isMoving(int file);

  /** How many files a tier serves; not for the home tier, where they aren't listed. */
  int filesOn(int tier);

  /** One of the files that a tier serves, {@code index} below {@link #filesOn}; in no special order. */
  int fileOn(int tier, int index);
}
