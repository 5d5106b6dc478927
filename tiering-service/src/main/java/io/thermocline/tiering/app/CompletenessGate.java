// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.observe.Completeness;
import java.util.Locale;
import java.util.Optional;

/** Whether enough of what happened is known to decide by. Stateless. */
final class CompletenessGate {

  /** What an objection begins with. */
  static final String OPENING = "planning nothing: ";

  private CompletenessGate() {}

  /**
   * Why nothing is planned; empty where it may be, as it may where completeness isn't known.
   *
   * @param least share, 0 to 1
   */
  static Optional<String> objection(Completeness completeness, double least) {
    if (!completeness.isKnown() || completeness.share() >= least) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            OPENING
                + "the audit logs are %s, and observe.minCompleteness is %.2f %%. Look for"
                + " asynchronous appenders and shippers that drop lines, and for NameNodes whose log isn't"
                + " among observe.auditLogs, or not sent to observe.kafka",
            completeness,
            100 * least));
  }
}
