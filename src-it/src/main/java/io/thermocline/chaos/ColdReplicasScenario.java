// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;

/** Files that may not be on SSD get more replicas, and are read by nobody any more. */
final class ColdReplicasScenario extends UserScenario {

  private static final String DIRECTORY = "many";
  private static final int FILES = 4;
  private static final int READS = 20;

  private boolean isRaised;

  ColdReplicasScenario(ScenarioCluster cluster, Findings findings) {
    super(cluster, findings);
  }

  @Override
  void prepare() throws IOException {
    Path directory = new Path(ChaosFiles.ROOT, DIRECTORY);
    cluster.client().mkdirs(directory);
    cluster.hdfs().client().setQuotaByStorageType(directory, StorageType.SSD, 1);
    create(DIRECTORY, FILES);
    for (int i = 0; i < READS; i++) {
      files.read(DIRECTORY);
    }
  }

  @Override
  void step() throws IOException {
    isRaised |= !unsettled().isEmpty();
  }

  @Override
  void checkAfterUsers() {
    if (!isRaised) {
      violation("no replica was added to files that were read often");
    }
  }

  @Override
  String unsettled() throws IOException {
    for (int id : files.ids(DIRECTORY)) {
      short factor = files.replication(id);
      if (factor > ChaosFiles.REPLICATION) {
        return files.path(id) + " has replication " + factor + ", and nobody reads it";
      }
    }
    return "";
  }
}
