// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The epoch of the service that began to act last, as an attribute of a directory in HDFS that
 * only superusers see: who asks with an earlier one doesn't act any more. Epochs are those of
 * the services' one journal. Thread-safe.
 */
public final class EpochFence {

  static final String ATTRIBUTE = "trusted.thermocline.epoch";

  /** One more with each start: what says that it is of the last epoch of all would end all others. */
  private static final long FARTHEST = 1000;

  private final DistributedFileSystem hdfs;
  private final Path directory;
  private final OperationBudget budget;

  /**
   * @param directory is made where it isn't there
   */
  public EpochFence(DistributedFileSystem hdfs, Path directory, OperationBudget budget) {
    this.hdfs = hdfs;
    this.directory = directory;
    this.budget = budget;
  }

  /**
   * Why a service may not act any more; else, from now on none of an earlier epoch may.
   *
   * @throws IOException where HDFS can't be asked, or told
   */
  public Optional<String> objection(long epoch) throws IOException {
    long last = last();
    Optional<String> objection = objection(last, epoch, directory.toUri().getPath());
    if (objection.isEmpty() && last < epoch) {
      // Of two at a time the lower may remain: until the higher asks for its next thing.
      budget.take();
      hdfs.setXAttr(
          directory,
          ATTRIBUTE,
          Long.toString(epoch).getBytes(StandardCharsets.UTF_8),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }
    return objection;
  }

  /**
   * @param last zero where none acted yet: any may be the first
   */
  static Optional<String> objection(long last, long epoch, String directory) {
    if (last > epoch) {
      return Optional.of(
          "a service of epoch "
              + last
              + " has begun to act, and this one is of "
              + epoch
              + ". If the journal was lost or is an older copy, put the right one back, or start the service once"
              + " with --accept-journal. If no service was ever of epoch "
              + last
              + ": "
              + takeAway(directory));
    }
    if (last > 0 && epoch - last > FARTHEST) {
      return Optional.of(
          "the last service to act was of epoch "
              + last
              + ", and this one says that it is of "
              + epoch
              + ", more than "
              + FARTHEST
              + " starts later. Where that is true: "
              + takeAway(directory));
    }
    return Optional.empty();
  }

  private static String takeAway(String directory) {
    return "hdfs dfs -setfattr -x " + ATTRIBUTE + " " + directory;
  }

  private long last() throws IOException {
    budget.take();
    if (!hdfs.exists(directory)) {
      budget.take();
      hdfs.mkdirs(directory);
    }
    budget.take();
    byte[] value = hdfs.getXAttrs(directory).get(ATTRIBUTE);
    if (value == null) {
      return 0;
    }
    String text = new String(value, StandardCharsets.UTF_8);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException(
          ATTRIBUTE + " of " + directory + " is no epoch: '" + text + "'; take it away", e);
    }
  }
}
