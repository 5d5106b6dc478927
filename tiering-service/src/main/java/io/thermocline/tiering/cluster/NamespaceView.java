// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What plans are made of: DataNodes and files of HDFS, or of a virtual cluster. */
public interface NamespaceView {

  /** All live DataNodes that are in service, with their storages. */
  ClusterView cluster() throws IOException;

  /** Names of the storage policies by id. */
  Map<Integer, String> storagePolicies() throws IOException;

  /**
   * Every closed file below the roots, one after the other. A root that does not exist has no files.
   *
   * @param ignored paths of files and directories that are passed over, with all below them
   * @return the directories that hold nothing but such files
   */
  Set<String> pass(List<String> roots, Predicate<String> ignored, Consumer<FileView> each)
      throws IOException;

  /** As many directories that can't be listed are named, and no more. */
  int MOST_UNREADABLE = 1000;

  /**
   * Directories that HDFS didn't let this user list when they were looked at last, at most {@link #MOST_UNREADABLE}: their
   * files are in no view.
   */
  default Set<String> unreadable() {
    return Set.of();
  }

  /**
   * Whether a file at any depth below a directory passes the test, or may: it is open for write, or nothing is known of the
   * directory.
   */
  boolean has(String directory, Predicate<FileView> test) throws IOException;

  /** The file as it is now; empty where it is gone, open for write, or not ours to move. */
  Optional<FileView> file(String path) throws IOException;

  /** What is at a path; empty where nothing is there. */
  Optional<Place> place(String path) throws IOException;

  /** The cache directives of a pool that are in force; none where there is no such pool. */
  List<Directive> cacheDirectives(String pool) throws IOException;

  /**
   * What is at a path.
   *
   * @param policy id of the storage policy in force; 0 where nobody set one
   * @param isCoded whether its files, or what is made below it, are erasure-coded
   */
  record Place(int policy, boolean isDirectory, boolean isCoded) {}

  /**
   * What HDFS keeps in memory of a path.
   *
   * @param copies of each block
   * @param expires milliseconds since 1970
   * @param needed bytes that should be there, all copies counted
   * @param bytes that are
   */
  record Directive(long id, String path, int copies, long expires, long needed, long bytes) {}
}
