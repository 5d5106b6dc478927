// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

/** What a caller may do; each may do what those before it may. */
public enum Role {
  /** Ask. */
  VIEWER,
  /** Approve, carry out, pause and undo plans. */
  OPERATOR,
  /** Change what is configured. */
  ADMINISTRATOR;

  boolean mayActAs(Role needed) {
    return compareTo(needed) >= 0;
  }
}
