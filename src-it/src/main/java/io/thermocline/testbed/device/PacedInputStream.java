// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;

/**
 * A replica's data as its emulated device delivers it. On purpose no FileInputStream: a DataNode would
 * send that with transferTo, past the device. For one thread.
 */
public final class PacedInputStream extends InputStream {

  private final InputStream replica;
  private final EmulatedDevice device;
  private final ReadPurpose purpose;

  private PacedInputStream(InputStream replica, EmulatedDevice device, ReadPurpose purpose) {
    this.replica = replica;
    this.device = device;
    this.purpose = purpose;
  }

  /**
   * Opens the replica on the device, which takes the latency.
   *
   * @throws InterruptedIOException if interrupted while waiting; the thread stays interrupted, and the
   *     caller keeps the replica's stream
   */
  public static PacedInputStream open(
      InputStream replica, EmulatedDevice device, ReadPurpose purpose) throws IOException {
    try {
      device.openForRead(purpose);
    } catch (InterruptedException e) {
      throw Interruptions.asIoException(e);
    }
    return new PacedInputStream(replica, device, purpose);
  }

  @Override
  public int read() throws IOException {
    int value = replica.read();
    if (value >= 0) {
      charge(1);
    }
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    int count = replica.read(buffer, offset, length);
    if (count > 0) {
      charge(count);
    }
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    return replica.skip(count);
  }

  @Override
  public int available() throws IOException {
    return replica.available();
  }

  @Override
  public void close() throws IOException {
    replica.close();
  }

  private void charge(int bytes) throws IOException {
    try {
      device.read(purpose, bytes);
    } catch (InterruptedException e) {
      throw Interruptions.asIoException(e);
    }
  }
}
