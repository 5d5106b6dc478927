// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

/** What went wrong, in one line. Stateless. */
public final class FailureText {

  private FailureText() {}

  /** Class and message, without the lines below: a NameNode's refusal carries its stack trace in its message. */
  public static String of(Throwable failure) {
    return failure.toString().lines().findFirst().orElse("");
  }
}
