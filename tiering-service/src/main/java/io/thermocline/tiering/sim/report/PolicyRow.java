// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import io.thermocline.tiering.sim.RunResult;

/**
 * One policy on one size of the fastest tier.
 *
 * @param name of the policy, as in names of figures
 * @param title for people
 * @param fastBytes capacity of the fastest tier
 * @param result of the run
 * @param bytesPerSecond throughput as an access sees it: bytes served by the time that accesses took, summed
 * @param requests to devices
 */
public record PolicyRow(
    String name,
    String title,
    long fastBytes,
    RunResult result,
    double bytesPerSecond,
    long requests) {

  /** Microseconds that a decision took on the machine that simulated, 0 if none was made. */
  public double decisionMicros() {
    return result.decisions() == 0 ? 0 : result.decisionNanos() / 1e3 / result.decisions();
  }
}
