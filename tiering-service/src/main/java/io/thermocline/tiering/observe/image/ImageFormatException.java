// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.io.IOException;

/** An image that is damaged, cut off, or of a kind that we can't read: says which file, where in it, and why. */
public final class ImageFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  ImageFormatException(String message) {
    super(message);
  }

  ImageFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
