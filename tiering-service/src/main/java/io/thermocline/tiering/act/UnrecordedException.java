// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;

/** The journal doesn't take what is to be done next, so it isn't done. */
public final class UnrecordedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what isn't done
   */
  public UnrecordedException(String what, IOException cause) {
    super(what + " can't be recorded: " + cause.getMessage(), cause);
  }
}
