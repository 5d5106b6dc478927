// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.List;

/** What moving by Hadoop's Storage Policy Satisfier does to HDFS. Thread-safe. */
public interface SatisfierCalls extends HdfsLook {

  void setStoragePolicy(String path, String policy) throws IOException;

  /** The same, as {@link HdfsCalls#setStoragePolicy(String, String, FileView)}. */
  default void setStoragePolicy(String path, String policy, FileView planned) throws IOException {
    MoveCheck.requireUnchanged(planned, file(planned.path()));
    setStoragePolicy(path, policy);
  }

  /**
   * Asks the satisfier to bring the replicas of a file to where its policy has them.
   *
   * @throws BusySatisfierException where its queue is full
   * @throws IOException where none is configured, or the file went away
   */
  void satisfy(String path) throws IOException;

  /** The types that a storage policy has for so many replicas. */
  List<StorageType> types(String policy, int replication) throws IOException;
}
