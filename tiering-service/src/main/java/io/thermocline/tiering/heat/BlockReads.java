// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * What clienttrace told of the reads of one block, in some time. Immutable.
 *
 * @param sequential requests, of {@code sequentialBytes} together
 * @param random requests, of {@code randomBytes} together
 */
public record BlockReads(long sequential, long sequentialBytes, long random, long randomBytes) {

  /** The sum of both. */
  public BlockReads plus(BlockReads other) {
    return new BlockReads(
        sequential + other.sequential,
        sequentialBytes + other.sequentialBytes,
        random + other.random,
        randomBytes + other.randomBytes);
  }
}
