// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import java.time.Duration;

/**
 * What one device, or all devices of a storage type, did. A read counts when a replica is opened,
 * its bytes as they are read; a block that a client reads once counts once.
 *
 * @param clientReads replicas opened for clients
 * @param clientBytesRead bytes read for clients, without checksums
 * @param copyReads replicas opened for the cluster itself: re-replication, moves, scans
 * @param copyBytesRead bytes read for the cluster itself
 * @param writes replicas opened for writing, whoever wrote them
 * @param bytesWritten bytes written, without checksums
 * @param busyNanos service time of all this, also of what ran at full speed
 */
public record IoCounts(
    long clientReads,
    long clientBytesRead,
    long copyReads,
    long copyBytesRead,
    long writes,
    long bytesWritten,
    long busyNanos) {

  public static final IoCounts ZERO = new IoCounts(0, 0, 0, 0, 0, 0, 0);

  /** The service time as a duration. */
  public Duration busy() {
    return Duration.ofNanos(busyNanos);
  }

  public IoCounts plus(IoCounts other) {
    return new IoCounts(
        clientReads + other.clientReads,
        clientBytesRead + other.clientBytesRead,
        copyReads + other.copyReads,
        copyBytesRead + other.copyBytesRead,
        writes + other.writes,
        bytesWritten + other.bytesWritten,
        busyNanos + other.busyNanos);
  }

  public IoCounts minus(IoCounts earlier) {
    return new IoCounts(
        clientReads - earlier.clientReads,
        clientBytesRead - earlier.clientBytesRead,
        copyReads - earlier.copyReads,
        copyBytesRead - earlier.copyBytesRead,
        writes - earlier.writes,
        bytesWritten - earlier.bytesWritten,
        busyNanos - earlier.busyNanos);
  }
}
