// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** What users do while files are moved, and what must hold then. For one thread. */
abstract class UserScenario {

  final ScenarioCluster cluster;
  final ChaosFiles files;
  final Findings findings;

  UserScenario(ScenarioCluster cluster, Findings findings) {
    this.cluster = cluster;
    this.files = cluster.files();
    this.findings = findings;
  }

  /** Writes the files. */
  abstract void prepare() throws IOException, InterruptedException;

  /** Is called twice a second. */
  void step() throws IOException, InterruptedException {}

  /** Checks what must hold as soon as users do nothing more. */
  void checkAfterUsers() throws IOException, InterruptedException {}

  /** What isn't at its end yet when nobody reads any more, in words; empty where all is. */
  String unsettled() throws IOException {
    return "";
  }

  /** Checks what must hold at the end, after a restart of the NameNodes. */
  void check() throws IOException, InterruptedException {}

  /** Adds what was measured to the run's line of JSON. */
  void report(ObjectNode line) {}

  final void violation(String what) {
    findings.add(Findings.Kind.OTHER, what);
  }

  final int[] create(String directory, int count) throws IOException {
    int[] ids = new int[count];
    for (int i = 0; i < count; i++) {
      ids[i] = files.create(directory);
    }
    return ids;
  }
}
