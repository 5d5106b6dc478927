// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.StorageType;

/** An operator takes back the plan that moved a file to SSD, while the file is as hot as before. */
final class UndoScenario extends UserScenario {

  private static final String DIRECTORY = "undone";
  private static final int FIRST_READS = 40;

  /** As many as cool down between two steps. */
  private static final int READS = 2;

  private int file;
  private long undone;

  UndoScenario(ScenarioCluster cluster, Findings findings) {
    super(cluster, findings);
  }

  @Override
  void prepare() throws IOException {
    file = files.create(DIRECTORY);
    read(FIRST_READS);
  }

  @Override
  void step() throws IOException, InterruptedException {
    read(READS);
    if (undone == 0 && files.bytesOn(file, StorageType.SSD) > 0) {
      long plan = plans().get(0).plan();
      if (cluster.get("/plans/" + plan).path("state").asText().equals("RUNNING")) {
        // Refused until it has ended.
        return;
      }
      undone = plan;
      cluster.post("/plans/" + undone + "/undo", "{\"why\": \"a scenario\", \"dryRun\": false}");
    }
  }

  private void read(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      files.read(DIRECTORY);
    }
  }

  @Override
  void checkAfterUsers() throws IOException {
    if (undone == 0) {
      violation("the file was never moved to SSD, so nothing was taken back");
      return;
    }
    for (JournalEntry.Planned planned : plans()) {
      if (planned.plan() > undone) {
        violation("planned again after it was taken back: " + planned);
      }
    }
  }

  /** Those that move the file to SSD, in order. */
  private List<JournalEntry.Planned> plans() throws IOException {
    String name = files.name(file);
    return cluster.journal().planned().stream()
        .filter(planned -> planned.path().equals(name) && planned.cause().equals("PROMOTED"))
        .toList();
  }
}
