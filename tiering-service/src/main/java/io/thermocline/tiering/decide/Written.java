// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

/** Where the copies of a file start that was given no storage policy: the layout mode of the NameNode's plugin. */
public enum Written {
  /** All on DISK. */
  BY_POLICY,
  /** Over the bottom types that can hold their share (SUORA, section 3.6). */
  SPREAD
}
