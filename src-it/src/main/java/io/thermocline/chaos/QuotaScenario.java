// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;

/** A hot directory has a quota of SSD that some of its files fit in. */
final class QuotaScenario extends UserScenario {

  private static final String DIRECTORY = "quota";
  private static final Path PATH = new Path(ChaosFiles.ROOT, DIRECTORY);
  private static final int FILES = 8;

  /** Of three replicas. */
  private static final long BYTES = 3L * ChaosFiles.BYTES;

  private boolean isMoved;

  QuotaScenario(ScenarioCluster cluster, Findings findings) {
    super(cluster, findings);
  }

  @Override
  void prepare() throws IOException {
    cluster.client().mkdirs(PATH);
    cluster.hdfs().client().setQuotaByStorageType(PATH, StorageType.SSD, BYTES);
    create(DIRECTORY, FILES);
  }

  @Override
  void step() throws IOException {
    files.read(DIRECTORY);
    check();
  }

  @Override
  void checkAfterUsers() {
    if (!isMoved) {
      violation("no file of " + PATH + " was moved to SSD, and there is room for some");
    }
  }

  /** By storage policies, as a NameNode counts when it starts, and by where replicas are. */
  @Override
  void check() throws IOException {
    long moved = 0;
    for (int id : files.ids(DIRECTORY)) {
      moved += files.bytesOn(id, StorageType.SSD);
    }
    isMoved |= moved > 0;
    long used =
        Math.max(moved, cluster.client().getContentSummary(PATH).getTypeConsumed(StorageType.SSD));
    if (used > BYTES) {
      findings.add(
          Findings.Kind.QUOTA_EXCEEDED, "SSD of " + PATH + ": " + used + " of " + BYTES + " bytes");
    }
  }
}
