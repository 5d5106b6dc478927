// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

/** What was typed can't be meant. The message says what was wrong with it. */
final class UsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
