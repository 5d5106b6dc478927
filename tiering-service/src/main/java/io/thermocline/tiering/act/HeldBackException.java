// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;

/**
 * Nothing may be begun at the moment, whatever it is, and whoever steers is told; it is no fault of
 * what was to be done, which is tried again when it may.
 */
public class HeldBackException extends IOException {
  private static final long serialVersionUID = 1L;

  public HeldBackException(String message) {
    super(message);
  }

  public HeldBackException(String message, Throwable cause) {
    super(message, cause);
  }
}
