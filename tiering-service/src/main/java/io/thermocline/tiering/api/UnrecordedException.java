// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.io.IOException;

/** What was asked for couldn't be recorded, and so wasn't done. */
public final class UnrecordedException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param cause why the journal can't be written
   */
  public UnrecordedException(IOException cause) {
    super("the journal can't be written: " + cause.getMessage(), cause);
  }
}
