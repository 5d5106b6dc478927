// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import java.io.IOException;

/** The mover is of another version, and doesn't know the request. */
public final class UnknownRequestException extends IOException {

  private static final long serialVersionUID = 1L;

  UnknownRequestException(String message) {
    super(message);
  }
}
