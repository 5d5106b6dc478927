// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.journal.HdfsJournalStore;
import io.thermocline.tiering.journal.Journal;
import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes ready to lead, so that nothing is left to wait for when the session of a leader that is gone has run out. While that
 * is silent, HDFS is asked to close the journal's last segment, for which a DataNode must send a heartbeat; a leader that
 * comes back goes on in the next. One thread.
 */
final class TakeoverPreparation {

  private static final Logger LOG = LoggerFactory.getLogger(TakeoverPreparation.class);

  private final Leadership leadership;
  private final ServiceConfig config;
  private final DistributedFileSystem hdfs;
  private boolean isReady;

  TakeoverPreparation(Leadership leadership, ServiceConfig config, DistributedFileSystem hdfs) {
    this.leadership = leadership;
    this.config = config;
    this.hdfs = hdfs;
    // With classes loaded and connections made, the next time takes a tenth.
    try (Journal journal = Journals.read(config, hdfs)) {
      LOG.info("standing by, at plan {}", journal.lastPlan());
    } catch (IOException e) {
      LOG.warn("standing by; the journal can't be read: {}", e.toString());
    }
  }

  /** To be called often while another leads. */
  void look() {
    boolean isSilent = leadership.isLeaderSilent();
    if (isSilent && !isReady) {
      LOG.info("the leader is silent: making ready to take over");
      try {
        HdfsJournalStore.closeLast(hdfs, Journals.path(config));
      } catch (IOException e) {
        LOG.info("the journal can't be closed yet: {}", e.toString());
      }
    }
    isReady = isSilent;
  }
}
