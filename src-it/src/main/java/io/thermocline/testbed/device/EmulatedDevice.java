// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import io.thermocline.placement.model.StorageType;
import java.util.function.BooleanSupplier;

/**
 * One device of a DataNode, with a queue of its own: each request takes its service time after all
 * that was asked before it, and the caller waits until its own service ends. Thread-safe.
 *
 * <p>The queue is one number, the time at which the device is free again. A request moves it on by
 * its service time, under the lock, and then sleeps without the lock. A wait under a millisecond is
 * not slept, as the machine can't sleep that shortly: the device stays reserved, so the debt is paid
 * by whoever comes next, most often the next piece of the same block.
 */
public final class EmulatedDevice {

  /** Shorter waits become debt, in nanoseconds. */
  static final long SHORTEST_SLEEP_NANOS = 1_000_000L;

  private final StorageType type;
  private final DeviceProfile profile;
  private final DeviceTime time;
  private final BooleanSupplier paced;

  private long freeAt;
  private IoCounts counts = IoCounts.ZERO;

  EmulatedDevice(StorageType type, DeviceProfile profile, DeviceTime time, BooleanSupplier paced) {
    this.type = type;
    this.profile = profile;
    this.time = time;
    this.paced = paced;
    this.freeAt = time.nanos();
  }

  public StorageType type() {
    return type;
  }

  /**
   * A replica is opened for reading: counts it and takes the latency.
   *
   * @throws InterruptedException if interrupted while waiting; the time stays reserved
   */
  public void openForRead(ReadPurpose purpose) throws InterruptedException {
    serve(
        switch (purpose) {
          case CLIENT -> new IoCounts(1, 0, 0, 0, 0, 0, profile.readLatencyNanos());
          case COPY -> new IoCounts(0, 0, 1, 0, 0, 0, profile.readLatencyNanos());
        });
  }

  /** Bytes of an open replica are read. */
  public void read(ReadPurpose purpose, long bytes) throws InterruptedException {
    serve(bytesRead(purpose, bytes));
  }

  /** Takes the time of a read without waiting: when, on the device's clock, it would be done. */
  long reserveRead(ReadPurpose purpose, long bytes) {
    return reserve(bytesRead(purpose, bytes));
  }

  /** A replica is opened for writing. */
  public void openForWrite() throws InterruptedException {
    serve(new IoCounts(0, 0, 0, 0, 1, 0, profile.writeLatencyNanos()));
  }

  /** Bytes are written to an open replica. */
  public void write(long bytes) throws InterruptedException {
    serve(new IoCounts(0, 0, 0, 0, 0, bytes, profile.writeNanos(bytes)));
  }

  /** What this device did so far. */
  public synchronized IoCounts counts() {
    return counts;
  }

  private IoCounts bytesRead(ReadPurpose purpose, long bytes) {
    long nanos = profile.readNanos(bytes);
    return switch (purpose) {
      case CLIENT -> new IoCounts(0, bytes, 0, 0, 0, 0, nanos);
      case COPY -> new IoCounts(0, 0, 0, bytes, 0, 0, nanos);
    };
  }

  private void serve(IoCounts request) throws InterruptedException {
    if (!paced.getAsBoolean()) {
      count(request);
      return;
    }
    long end = reserve(request);
    long remaining = end - time.nanos();
    if (remaining < SHORTEST_SLEEP_NANOS) {
      return;
    }
    while (remaining > 0) {
      time.sleep(remaining);
      remaining = end - time.nanos();
    }
  }

  private synchronized void count(IoCounts request) {
    counts = counts.plus(request);
  }

  private synchronized long reserve(IoCounts request) {
    count(request);
    long now = time.nanos();
    // Differences, not max(): a monotonic clock may start near the end of the long range.
    long start = freeAt - now > 0 ? freeAt : now;
    freeAt = start + request.busyNanos();
    return freeAt;
  }
}
