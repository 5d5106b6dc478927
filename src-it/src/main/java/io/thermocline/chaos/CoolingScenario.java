// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.io.IOException;
import org.apache.hadoop.fs.StorageType;

/** Files that were moved to SSD are read by nobody any more. */
final class CoolingScenario extends UserScenario {

  private static final String DIRECTORY = "cooling";
  private static final int FILES = 4;
  private static final int READS = 20;

  private boolean isPromoted;

  CoolingScenario(ScenarioCluster cluster, Findings findings) {
    super(cluster, findings);
  }

  @Override
  void prepare() throws IOException {
    create(DIRECTORY, FILES);
    for (int i = 0; i < READS; i++) {
      files.read(DIRECTORY);
    }
  }

  @Override
  void step() throws IOException {
    isPromoted |= !unsettled().isEmpty();
  }

  @Override
  void checkAfterUsers() {
    if (!isPromoted) {
      violation("no file that was read often was moved to SSD");
    }
  }

  @Override
  String unsettled() throws IOException {
    for (int id : files.ids(DIRECTORY)) {
      if (files.bytesOn(id, StorageType.SSD) > 0) {
        return files.path(id) + " is on SSD, and nobody reads it";
      }
    }
    return "";
  }
}
