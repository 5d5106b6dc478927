// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;

/**
 * A replica's data file, written as fast as its emulated device takes it. A FileOutputStream because
 * a DataNode asks for its descriptor and its channel (sync); the descriptor is the replica's own. For
 * one thread.
 */
public final class PacedFileOutputStream extends FileOutputStream {

  private final FileOutputStream replica;
  private final EmulatedDevice device;

  private PacedFileOutputStream(FileOutputStream replica, EmulatedDevice device)
      throws IOException {
    super(replica.getFD());
    this.replica = replica;
    this.device = device;
  }

  /**
   * Opens the replica on the device, which takes the latency.
   *
   * @throws InterruptedIOException if interrupted while waiting; the thread stays interrupted, and the
   *     caller keeps the replica's stream
   */
  public static PacedFileOutputStream open(FileOutputStream replica, EmulatedDevice device)
      throws IOException {
    try {
      device.openForWrite();
    } catch (InterruptedException e) {
      throw Interruptions.asIoException(e);
    }
    return new PacedFileOutputStream(replica, device);
  }

  @Override
  public void write(int value) throws IOException {
    replica.write(value);
    charge(1);
  }

  @Override
  public void write(byte[] buffer) throws IOException {
    write(buffer, 0, buffer.length);
  }

  @Override
  public void write(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    replica.write(buffer, offset, length);
    charge(length);
  }

  @Override
  public void close() throws IOException {
    // Both share one descriptor; closing both runs the hooks of either.
    try {
      replica.close();
    } finally {
      super.close();
    }
  }

  private void charge(int bytes) throws IOException {
    try {
      device.write(bytes);
    } catch (InterruptedException e) {
      throw Interruptions.asIoException(e);
    }
  }
}
