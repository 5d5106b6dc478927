// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;

/** An operator takes back the last plan that moved a file to SSD, while the file is as hot as before. */
final class UndoScenario extends UserScenario {

  private static final String DIRECTORY = "undone";
  private static final int FIRST_READS = 40;
  private static final Set<String> ENDED = Set.of("DONE", "INTERRUPTED");

  /** As many as cool down between two steps. */
  private static final int READS = 2;

  private int file;

  /** The newest plan of any file when the service had answered that it takes the plan back; 0 before. */
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
      List<JournalEntry.Planned> plans = plans();
      long plan = plans.get(plans.size() - 1).plan();
      if (!ENDED.contains(cluster.get("/plans/" + plan).path("state").asText())) {
        // Refused until then.
        return;
      }
      cluster.post("/plans/" + plan + "/undo", "{\"why\": \"a scenario\", \"dryRun\": false}");
      undone =
          cluster.journal().planned().stream()
              .mapToLong(JournalEntry.Planned::plan)
              .max()
              .orElseThrow();
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
