// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/**
 * A device that is too large for its bucket: replicas are distinct, so that it can hold no more than one
 * of each key, less than its part of the capacity. Immutable. Shares are of all replicas, 0 to 1.
 */
public final class CroppedDevice {
  private final String deviceId;
  private final double wantedShare;
  private final double givenShare;

  CroppedDevice(String deviceId, double wantedShare, double givenShare) {
    this.deviceId = deviceId;
    this.wantedShare = wantedShare;
    this.givenShare = givenShare;
  }

  public String deviceId() {
    return deviceId;
  }

  /** Its length over that of the whole line. */
  public double wantedShare() {
    return wantedShare;
  }

  /** One replica of each key. */
  public double givenShare() {
    return givenShare;
  }

  @Override
  public String toString() {
    return deviceId + " gets " + givenShare + " of all replicas, by its capacity " + wantedShare;
  }
}
