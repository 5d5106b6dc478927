// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

/** A command that came to nothing, with the exit code that says how. */
final class CliException extends Exception {

  /** The service refused, or what was asked for failed. */
  static final int FAILED = 1;

  /** Bad usage, here or as the service sees it. */
  static final int USAGE = 2;

  /** Nobody answers where the service should be. */
  static final int NOT_REACHABLE = 3;

  /** Not as things are: a stale plan, one that isn't approved, a pause. */
  static final int REFUSED = 4;

  /** Not this caller. */
  static final int NOT_ALLOWED = 5;

  private static final long serialVersionUID = 1L;

  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHENTICATED = 401;
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;

  private final int exitCode;

  CliException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }

  /** Of an answer of the service. */
  static int exitCodeOf(int status) {
    return switch (status) {
      case BAD_REQUEST -> USAGE;
      case UNAUTHENTICATED, FORBIDDEN -> NOT_ALLOWED;
      case CONFLICT -> REFUSED;
      default -> FAILED;
    };
  }
}
