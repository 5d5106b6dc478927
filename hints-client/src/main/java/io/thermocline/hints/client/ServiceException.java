// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import io.thermocline.hints.wire.HintError;
import java.io.IOException;

/** The service didn't do what was asked. The message says what was wrong, and what to do where that is known. */
public final class ServiceException extends IOException {
  private static final long serialVersionUID = 1L;

  private final HintError error;

  public ServiceException(HintError error, String message) {
    super(message);
    this.error = error;
  }

  ServiceException(HintError error, String message, Throwable cause) {
    super(message, cause);
    this.error = error;
  }

  public HintError error() {
    return error;
  }
}
