// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/** A device of a segment table, and its capacity parameter for new blocks. Immutable. */
final class TableMember {
  private final Device device;
  private final double writeP;

  TableMember(Device device, double writeP) {
    this.device = device;
    this.writeP = writeP;
  }

  Device device() {
    return device;
  }

  String id() {
    return device.id();
  }

  /** Bytes that are one unit long on the line for new blocks. */
  double writeP() {
    return writeP;
  }
}
