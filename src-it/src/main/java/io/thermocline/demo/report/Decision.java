// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import java.util.Objects;

/**
 * One decision of a run, as it was taken.
 *
 * @param path the file or directory
 * @param from where its replicas were, for a reader: "DISK x 3"
 * @param to where they were to go
 * @param reason the sentence with the numbers that decided
 */
public record Decision(String path, String from, String to, String reason) {

  public Decision {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    Objects.requireNonNull(reason, "reason");
  }
}
