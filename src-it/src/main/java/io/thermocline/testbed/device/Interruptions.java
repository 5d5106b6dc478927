// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import java.io.IOException;
import java.io.InterruptedIOException;

/** How an interrupted wait for a device looks to a stream's caller. */
public final class Interruptions {

  private Interruptions() {}

  /** Marks the thread as interrupted again, as streams can't throw the exception itself. */
  public static IOException asIoException(InterruptedException e) {
    Thread.currentThread().interrupt();
    IOException wrapped = new InterruptedIOException("Interrupted while waiting for a device");
    wrapped.initCause(e);
    return wrapped;
  }
}
