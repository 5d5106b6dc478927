// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import java.io.IOException;

/** The gateway ended the connection, and said why. */
public final class LinkException extends IOException {
  private static final long serialVersionUID = 1;

  private final Message.Code code;

  LinkException(Message.Code code, String text) {
    super("gateway: " + text);
    this.code = code;
  }

  /** Whether another attempt may succeed. */
  public boolean isPassing() {
    return code == Message.Code.BUSY || code == Message.Code.FAILED;
  }
}
