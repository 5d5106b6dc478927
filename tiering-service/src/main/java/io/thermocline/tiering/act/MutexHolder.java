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
 * Who holds the mutex, as an attribute of its file that only superusers see. A mutex that doesn't say so belongs to somebody
 * else until HDFS ends the lease. Immutable.
 *
 * @param succession names those of whom one acts after the other, in ascending epochs; empty: follows nobody
 * @param instance which of those
 */
public record MutexHolder(String succession, long epoch, String instance) {

  private static final Logger LOG = LoggerFactory.getLogger(MutexHolder.class);

  static final String ATTRIBUTE = "trusted.thermocline.holder";

  /** One that waits until HDFS lets go of the mutex, whoever held it. */
  public static MutexHolder alone(long epoch, String instance) {
    return new MutexHolder("", epoch, instance);
  }

  /** Whether what the other holds is this one's to take: that one was taken over from, or was this one before a restart. */
  boolean follows(MutexHolder other) {
    return !succession.isEmpty()
        && succession.equals(other.succession)
        && (epoch > other.epoch || (epoch == other.epoch && instance.equals(other.instance)));
  }

  /** Takes the mutex from whom this one follows, as HDFS would keep it for a minute; leaves anybody else's. */
  void takeOver(DistributedFileSystem hdfs, Path mutex, OperationBudget budget) throws IOException {
    if (!succession.isEmpty() && of(hdfs, mutex, budget).filter(this::follows).isPresent()) {
      budget.take();
      hdfs.delete(mutex, false);
    }
  }

  /** Says so at the mutex, which is this one's. */
  void writeTo(DistributedFileSystem hdfs, Path mutex, OperationBudget budget) throws IOException {
    budget.take();
    try {
      hdfs.setXAttr(
          mutex,
          ATTRIBUTE,
          String.join("\n", Long.toString(epoch), instance, succession)
              .getBytes(StandardCharsets.UTF_8),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    } catch (RemoteException e) {
      // Without attributes HDFS keeps it for a minute; that is no reason not to act.
      LOG.warn("{} doesn't say who holds it: {}", mutex, e.getMessage());
    }
  }

  /**
   * Refuses where the mutex says that it belongs to one of other successors. One that doesn't say so is found when it is to be
   * taken.
   */
  public void requireNoOther(DistributedFileSystem hdfs, Path mutex, OperationBudget budget)
      throws IOException {
    Optional<MutexHolder> other =
        of(hdfs, mutex, budget).filter(one -> !one.succession.equals(succession));
    if (other.isPresent()) {
      throw held(hdfs, mutex, other, null);
    }
  }

  static MutexHeldException held(
      DistributedFileSystem hdfs, Path mutex, Optional<MutexHolder> by, IOException cause) {
    return new MutexHeldException(
        "another Thermocline moves data in "
            + hdfs.getUri()
            + " and holds "
            + mutex
            + by.map(one -> " (" + one + ")").orElse("")
            + ": stop it first. HDFS lets go of the file a minute after one was killed.",
        by,
        cause);
  }

  /** Empty where there is no mutex, or it doesn't say. */
  static Optional<MutexHolder> of(DistributedFileSystem hdfs, Path mutex, OperationBudget budget)
      throws IOException {
    budget.take();
    byte[] value;
    try {
      value = hdfs.getXAttrs(mutex).get(ATTRIBUTE);
    } catch (FileNotFoundException | RemoteException e) {
      return Optional.empty();
    }
    String[] parts =
        value == null ? new String[0] : new String(value, StandardCharsets.UTF_8).split("\n", -1);
    return parts.length == 3 && parts[0].matches("\\d{1,18}")
        ? Optional.of(new MutexHolder(parts[2], Long.parseLong(parts[0]), parts[1]))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return instance + " in epoch " + epoch;
  }
}
