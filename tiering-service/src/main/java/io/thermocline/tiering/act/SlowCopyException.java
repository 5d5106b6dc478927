// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;

/** A copy took all the time that it may: another attempt would take as long, and hold its plan up as long. */
public final class SlowCopyException extends IOException {
  private static final long serialVersionUID = 1L;

  public SlowCopyException(String message) {
    super(message);
  }

  SlowCopyException(String message, Throwable cause) {
    super(message, cause);
  }
}
