// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

/** How bad a finding is, the least first. */
public enum Severity {
  /** As it should be. */
  OK,
  /** Worth to know, or nobody could look. */
  NOTE,
  /** Works, with less than it could have. */
  WARNING,
  /** Tiering doesn't work so, or does harm. */
  ERROR
}
