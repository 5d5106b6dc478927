// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.config.ServiceConfig;
import java.util.ArrayList;
import java.util.List;

/** What a service can't know with the sources that it was given. Stateless. */
final class MissingInputs {

  private MissingInputs() {}

  /** In sentences, each with the setting that would change it; none where all is known. */
  static List<String> of(ServiceConfig config) {
    ServiceConfig.Observe observe = config.observe();
    List<String> unknowns = new ArrayList<>();
    if (observe.clientTraceLogs().isEmpty()) {
      unknowns.add(
          "how many bytes are read, and whether in sequence: observe.clientTraceLogs names no log of"
              + " a DataNode"
              + (config.decide().chew().isPresent()
                  ? "; so strategy chew takes each open for a read of the whole file, leaves the rule of randomness"
                      + " out, and splits nothing"
                  : ""));
    }
    if (observe.auditLogs().stream().anyMatch(log -> log.web() == null)) {
      unknowns.add("how complete the audit logs are: observe.nameNodeWebs names no NameNode");
    }
    if (observe.kafka() != null && !observe.kafka().isMeasured()) {
      unknowns.add(
          "how complete the lines from Kafka are: observe.kafka.nameNodeWebs names no NameNode of"
              + " theirs");
    }
    return unknowns;
  }
}
