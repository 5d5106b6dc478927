// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * All that moving does to HDFS. What is neither here nor in {@link LeverActions}, the service cannot do. Thread-safe.
 */
public interface HdfsActions {

  /**
   * The storage policy in force on a file or directory, its own or inherited; empty where nobody set one.
   *
   * @throws IOException also where the path isn't there
   */
  String storagePolicy(String path) throws IOException;

  /**
   * Sets the storage policy of a file or directory.
   *
   * @param policy empty: none of its own, so that it inherits one
   */
  void setStoragePolicy(String path, String policy) throws IOException;

  /**
   * Has the target DataNode copy the replica, and returns when it has it. The NameNode removes the
   * source replica when it hears of the copy.
   *
   * @throws IOException with what the DataNode said
   */
  void copy(Move move) throws IOException;

  /** The file as HDFS shows it now; empty where it is gone or open for write. */
  Optional<FileView> file(String path) throws IOException;

  /** Files as HDFS shows them now, by path; those that {@link #file} is empty for are not among them. */
  Map<String, FileView> files(Collection<String> paths) throws IOException;
}
