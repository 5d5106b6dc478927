// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.FileView;
import java.util.List;
import java.util.Optional;

/** What a cycle takes for real beside what HDFS shows: in shadow mode, what earlier plans would have done. */
public interface Overlay {

  /** HDFS as it is. */
  Overlay NONE =
      new Overlay() {
        @Override
        public ClusterView over(ClusterView cluster) {
          return cluster;
        }

        @Override
        public FileView over(FileView file) {
          return file;
        }

        @Override
        public Optional<String> policy(String path) {
          return Optional.empty();
        }

        @Override
        public void passed(FileView file) {}

        @Override
        public void endOfPass() {}

        @Override
        public List<JournalEntry> takeMoves() {
          return List.of();
        }
      };

  ClusterView over(ClusterView cluster);

  FileView over(FileView file);

  /** The storage policy of a file, where it isn't the one that HDFS or the journal has. */
  Optional<String> policy(String path);

  /** There is such a file. */
  void passed(FileView file);

  /** All files passed. */
  void endOfPass();

  /** What was planned and moved since this was last asked, beside what the journal has. */
  List<JournalEntry> takeMoves();
}
