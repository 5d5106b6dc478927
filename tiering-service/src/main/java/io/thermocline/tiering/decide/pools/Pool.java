// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

/**
 * All storage of one kind, as placement of chunks sees it.
 *
 * @param name as the pattern library calls it
 * @param bytes that chunks may fill, one copy of each
 * @param peakRequests random requests a second that it can serve
 * @param peakBytes bytes a second that it can serve in sequence
 */
public record Pool(String name, long bytes, double peakRequests, double peakBytes) {
  public Pool {
    if (bytes < 0 || !(peakRequests > 0) || !(peakBytes > 0)) {
      throw new IllegalArgumentException(
          "%s: %d bytes (from 0), %s requests and %s bytes a second (above 0)"
              .formatted(name, bytes, peakRequests, peakBytes));
    }
  }
}
