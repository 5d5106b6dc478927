// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.util.Optional;

/** Another mover holds the mutex, or was killed less than a minute ago. */
public final class MutexHeldException extends IOException {

  private static final long serialVersionUID = 1;

  /** Null where the mutex doesn't say. */
  private final transient MutexHolder by;

  MutexHeldException(String message, Optional<MutexHolder> by, Throwable cause) {
    super(message, cause);
    this.by = by.orElse(null);
  }

  /** Whether the holder is one of those that follow each other by this name. */
  public boolean isOf(String succession) {
    return by != null && by.succession().equals(succession);
  }
}
