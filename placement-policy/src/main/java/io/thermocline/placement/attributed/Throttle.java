// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

/**
 * c_throttle: the capacity in bytes that one virtual node stands for. Immutable.
 *
 * <p>Source: attributedCH, section 3.2.
 */
final class Throttle {
  /** Of one device; section 3.2. */
  static final int MAX_VIRTUAL_NODES = 65_536;

  /** What a virtual node may cost at most, all told. */
  static final int BYTES_PER_VIRTUAL_NODE = 12;

  private final long bytes;

  private Throttle(long bytes) {
    this.bytes = bytes;
  }

  static Throttle of(long bytes) {
    return new Throttle(bytes);
  }

  /**
   * The smallest that keeps within the memory, and under which the largest device isn't cut off: with
   * the paper's 1 GB all devices from 64 TB on would weigh the same.
   */
  static Throttle derive(Iterable<RingDevice> devices, long memoryBytes) {
    double total = 0;
    long largest = 1;
    long count = 0;
    for (RingDevice device : devices) {
      total += device.capacityBytes();
      largest = Math.max(largest, device.capacityBytes());
      count++;
    }
    // Rounding up costs each device a virtual node at most; a device has one in any case.
    long affordable = Math.max(memoryBytes / BYTES_PER_VIRTUAL_NODE - count, Math.max(count, 1));
    double byMemory = Math.ceil(total / affordable);
    long byLargest = (largest - 1) / MAX_VIRTUAL_NODES + 1;
    return new Throttle(Math.max((long) byMemory, byLargest));
  }

  long bytes() {
    return bytes;
  }

  /** ceil(c / c_throttle), 65,536 at most. */
  int virtualNodes(long capacityBytes) {
    return (int) Math.min((capacityBytes - 1) / bytes + 1, MAX_VIRTUAL_NODES);
  }

  /** Whether a device of that capacity has fewer virtual nodes than its capacity asks for. */
  boolean cutsOff(long capacityBytes) {
    return (capacityBytes - 1) / bytes + 1 > MAX_VIRTUAL_NODES;
  }
}
