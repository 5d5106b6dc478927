// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import java.io.IOException;

/** The other side said what it must not say: the connection is closed, and nothing of the message is used. */
public final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1;

  public ProtocolException(String message) {
    super(message);
  }
}
