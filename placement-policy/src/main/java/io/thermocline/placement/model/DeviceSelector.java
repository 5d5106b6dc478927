// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.util.function.IntPredicate;

/**
 * Chooses a device of one bucket for a data id: what the placement algorithms have in common. Immutable,
 * safe for any thread. Devices are numbered from 0 to {@link #devices()} - 1.
 */
public interface DeviceSelector {
  /** No device. */
  int NONE = -1;

  /**
   * The first device that the key leads to and that is accepted.
   *
   * @param key of any bits, need not be mixed
   * @param accept takes a device's number; may be asked for the same device again
   * @param maxTries draws at most, those that come to nothing included
   * @return {@link #NONE} if no device was accepted in that many tries
   */
  int select(long key, IntPredicate accept, int maxTries);

  /** Number of devices. */
  int devices();

  /**
   * Id of a device.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no device of that number
   */
  String deviceId(int index);

  /** By device, what it is chosen in proportion to; null where the selector has no such weights. */
  default double[] weights() {
    return null;
  }
}
