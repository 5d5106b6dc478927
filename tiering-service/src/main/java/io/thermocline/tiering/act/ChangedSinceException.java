// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;

/** Somebody changed a file since it was planned for: it is left as it is. */
public final class ChangedSinceException extends IOException {
  private static final long serialVersionUID = 1L;

  public ChangedSinceException(String message) {
    super(message);
  }
}
