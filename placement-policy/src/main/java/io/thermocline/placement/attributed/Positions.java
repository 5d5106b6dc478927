// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

/** Where the virtual nodes of a device lie on the ring. Pure. */
interface Positions {
  /** An unsigned 32-bit number, never another for the same arguments. */
  int of(String deviceId, int virtualNode);
}
