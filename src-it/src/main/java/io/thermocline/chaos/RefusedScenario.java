// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;

/** The mover allows less than the service manages. */
final class RefusedScenario extends UserScenario {

  /** The mover doesn't act below it, and the service manages it. */
  static final String DIRECTORY = "refused";

  RefusedScenario(ScenarioCluster cluster, Findings findings) {
    super(cluster, findings);
  }

  @Override
  void prepare() throws IOException {
    create(DIRECTORY, 2);
  }

  @Override
  void step() throws IOException {
    files.read(DIRECTORY);
  }

  @Override
  void check() throws IOException {
    for (JournalEntry.Planned planned : cluster.journal().planned()) {
      if (planned.path().startsWith(ChaosFiles.ROOT + "/" + DIRECTORY + "/")) {
        violation("planned though the mover refuses it: " + planned);
      }
    }
  }
}
