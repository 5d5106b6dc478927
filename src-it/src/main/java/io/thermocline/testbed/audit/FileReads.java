// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

/**
 * What DataNodes read of one file. Immutable.
 *
 * @param length bytes of one replica
 * @param blockReads requests for a block or a part of one that DataNodes served
 * @param bytes that they served
 */
public record FileReads(String path, long length, long blockSize, long blockReads, long bytes) {

  /**
   * Time of a disk's head.
   *
   * @param seek seconds for each block read
   * @param rate bytes a second
   */
  public double diskSeconds(double seek, double rate) {
    return blockReads * seek + bytes / rate;
  }

  public int blocks() {
    return (int) ((length + blockSize - 1) / blockSize);
  }
}
