// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.device;

/**
 * A device with one queue that serves requests in the order of their arrival. It keeps no queue: as they
 * come in the order of time, each one's end follows from the end of the one before.
 */
public final class SimDevice {
  private final DeviceSpec spec;
  private double freeAt;
  private double busySeconds;
  private long nextOffset = -1;

  /** Idle, its head nowhere: the first request seeks. */
  public SimDevice(DeviceSpec spec) {
    this.spec = spec;
  }

  /**
   * A request at a place: it seeks unless it is within {@link DeviceSpec#nearBytes} of the end of the one
   * before.
   *
   * @param arrival in seconds, not before the one before
   * @param offset in bytes on the device
   * @return seconds at which it ends
   */
  public double serve(double arrival, long offset, long bytes, boolean write) {
    boolean near = nextOffset >= 0 && Math.abs(offset - nextOffset) <= spec.nearBytes();
    nextOffset = offset + bytes;
    return end(arrival, spec.seconds(bytes, write, near));
  }

  /** A request somewhere else than the one before: it seeks. As {@link #serve}. */
  public double serveApart(double arrival, long bytes, boolean write) {
    nextOffset = -1;
    return end(arrival, spec.seconds(bytes, write, false));
  }

  private double end(double arrival, double service) {
    freeAt = Math.max(freeAt, arrival) + service;
    busySeconds += service;
    return freeAt;
  }

  /** How long it has worked, in seconds, all that came so far counted. */
  public double busySeconds() {
    return busySeconds;
  }
}
