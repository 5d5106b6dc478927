// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** Files are renamed and deleted while they are moved. */
final class RenamesScenario extends UserScenario {

  private static final String DIRECTORY = "renamed";
  private static final int FILES = 8;

  private final SplittableRandom random;

  RenamesScenario(ScenarioCluster cluster, Findings findings, SplittableRandom random) {
    super(cluster, findings);
    this.random = random;
  }

  @Override
  void prepare() throws IOException {
    create(DIRECTORY, FILES);
  }

  @Override
  void step() throws IOException {
    files.read(DIRECTORY);
    List<Integer> ids = files.ids(DIRECTORY);
    int id = ids.get(random.nextInt(ids.size()));
    if (random.nextInt(4) == 0) {
      files.delete(id);
      files.create(DIRECTORY);
    } else {
      files.rename(id);
    }
  }
}
