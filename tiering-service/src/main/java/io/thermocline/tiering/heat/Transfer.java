// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/** How bytes of a file were moved, as a DataNode's trace tells it. */
public enum Transfer {
  SEQUENTIAL_READ,
  RANDOM_READ,
  WRITE
}
