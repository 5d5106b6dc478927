// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.Pause;
import io.thermocline.tiering.api.UnrecordedException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.journal.HdfsJournalStore;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.LocalJournalStore;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Opens the journal where the configuration has it, and writes what people ask for. */
public final class Journals {

  private Journals() {}

  /** Records what somebody asks for, before it is done. */
  public static void record(Journal journal, JournalEntry entry) throws UnrecordedException {
    try {
      journal.append(entry);
    } catch (IOException e) {
      throw new UnrecordedException(e);
    }
  }

  /** To write it: keeps every other writer away, or is kept away. */
  public static Journal open(ServiceConfig config, DistributedFileSystem hdfs, Pause pause)
      throws IOException {
    return Journal.open(
        config.shared().journal() == null
            ? LocalJournalStore.open(config.journal())
            : HdfsJournalStore.open(hdfs, path(config), pause::pause),
        config.shared().keep());
  }

  /** While somebody else may write it. */
  public static Journal read(ServiceConfig config, DistributedFileSystem hdfs) throws IOException {
    return config.shared().journal() == null
        ? Journal.read(config.journal())
        : Journal.open(HdfsJournalStore.reading(hdfs, path(config)));
  }

  /** In the one HDFS that there is. */
  public static Path path(ServiceConfig config) {
    return new Path(config.shared().journal().getPath());
  }
}
