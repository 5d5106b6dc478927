// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the journal is, as an attribute of the mutex's directory that only superusers see: a journal that is lost, or
 * replaced by an older copy, is behind it. Written after the journal, so that the journal is never behind by itself. One
 * thread writes.
 */
public final class JournalMark {

  private static final Logger LOG = LoggerFactory.getLogger(JournalMark.class);

  public static final String ATTRIBUTE = "trusted.thermocline.journal";

  private final DistributedFileSystem hdfs;
  private final Path directory;
  private final OperationBudget budget;
  private Reached written;
  private boolean hasFailed;

  /**
   * What a journal says of itself; later ones say more.
   *
   * @param epoch how often it was taken up
   * @param plan the last one
   */
  public record Reached(long epoch, long plan) {

    /** Whether a journal that says this says all that the other says. */
    public boolean includes(Reached other) {
      return epoch >= other.epoch && plan >= other.plan;
    }
  }

  /**
   * @param directory that has the attribute
   */
  public JournalMark(DistributedFileSystem hdfs, Path directory, OperationBudget budget) {
    this.hdfs = hdfs;
    this.directory = directory;
    this.budget = budget;
  }

  /** Empty where no journal was ever marked there, or attributes are disabled. */
  public Optional<Reached> read() throws IOException {
    budget.take();
    byte[] value;
    try {
      value = hdfs.getXAttrs(directory).get(ATTRIBUTE);
    } catch (FileNotFoundException | RemoteException e) {
      return Optional.empty();
    }
    String text = value == null ? "" : new String(value, StandardCharsets.UTF_8);
    if (!text.matches("\\d{1,18} \\d{1,18}")) {
      return Optional.empty();
    }
    String[] parts = text.split(" ");
    return Optional.of(new Reached(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
  }

  /** Whether this wasn't written yet. */
  public boolean isNews(Reached now) {
    return !now.equals(written);
  }

  /** Writes what is on the journal's disk. A failure is no reason not to act: it is logged, and tried again later. */
  public void write(Reached now) {
    try {
      budget.take();
      hdfs.setXAttr(
          directory,
          ATTRIBUTE,
          (now.epoch() + " " + now.plan()).getBytes(StandardCharsets.UTF_8),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
      written = now;
      hasFailed = false;
    } catch (IOException e) {
      if (!hasFailed) {
        LOG.warn("{} can't be marked, so a lost journal won't be noticed", directory, e);
      }
      hasFailed = true;
    }
  }
}
