// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

/** Time that passes only while somebody sleeps. For one thread. */
final class FakeDeviceTime implements DeviceTime {
  // Close to the end, so that code which compares times instead of their difference fails.
  private long now = Long.MAX_VALUE - 1_000;
  private long sleeps;

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    sleeps++;
    now += nanos;
  }

  long sleeps() {
    return sleeps;
  }
}
