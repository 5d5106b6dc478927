// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import io.thermocline.placement.model.SystemRuntime;
import java.util.concurrent.locks.LockSupport;

/** The time that emulated devices live in: a monotonic clock and a way to wait. Thread-safe. */
public interface DeviceTime {

  /** Nanoseconds since an arbitrary origin; never goes back. */
  long nanos();

  /**
   * Waits about this long.
   *
   * @param nanos more than zero
   * @throws InterruptedException if the thread is interrupted before or while it waits
   */
  void sleep(long nanos) throws InterruptedException;

  /** The machine's own time. */
  static DeviceTime system() {
    return SystemDeviceTime.INSTANCE;
  }

  /** Binds the seam to the machine. */
  @SystemRuntime
  final class SystemDeviceTime implements DeviceTime {
    private static final SystemDeviceTime INSTANCE = new SystemDeviceTime();

    private SystemDeviceTime() {}

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
      // Thread.sleep rounds up to whole milliseconds, which an SSD's request is shorter than.
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(this, nanos);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
