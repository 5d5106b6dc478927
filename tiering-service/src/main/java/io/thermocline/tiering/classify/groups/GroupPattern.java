// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

/** What the objects of a group have in common (PRS, section 3.2.1). */
public enum GroupPattern {
  /** They are read within a short time of each other, again and again. */
  LOCAL,
  /** They are hot, and read about as often as each other. */
  GLOBAL
}
