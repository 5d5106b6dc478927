// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.io.IOException;

/** Another process writes the journal: this one may not act any more. */
public final class FencedException extends IOException {

  private static final long serialVersionUID = 1L;

  FencedException(String message, Throwable cause) {
    super(message, cause);
  }
}
