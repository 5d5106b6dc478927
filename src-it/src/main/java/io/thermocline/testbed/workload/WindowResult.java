// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.util.List;

/**
 * What a replayed window came to.
 *
 * @param reads whole files read, without failed ones
 * @param bytes that the clients received
 * @param elapsedSeconds from when the clients connect until all have closed
 * @param failures reads that failed; empty in a healthy cluster
 */
public record WindowResult(
    long reads, long bytes, double elapsedSeconds, List<FailedRead> failures) {

  public WindowResult {
    failures = List.copyOf(failures);
  }

  /** NaN for an empty window. */
  public double readsPerSecond() {
    return reads / elapsedSeconds;
  }

  /** NaN for an empty window. */
  public double bytesPerSecond() {
    return bytes / elapsedSeconds;
  }
}
