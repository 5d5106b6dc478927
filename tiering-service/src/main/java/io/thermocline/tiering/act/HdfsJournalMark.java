// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;

/** The mark of a journal on the mutex's directory. Thread-safe. */
public final class HdfsJournalMark implements JournalMark {

  /** The third number came later, and so did when the journal began. */
  private static final Pattern VALUE =
      Pattern.compile("(\\d{1,18}) (\\d{1,18})(?: (\\d{1,18})(?: (\\S{1,40}))?)?");

  private final DistributedFileSystem hdfs;
  private final Path directory;
  private final OperationBudget budget;

  /**
   * @param mutex in the directory that has the attribute
   */
  public HdfsJournalMark(DistributedFileSystem hdfs, Path mutex, OperationBudget budget) {
    this.hdfs = hdfs;
    this.directory = mutex.getParent();
    this.budget = budget;
  }

  @Override
  public Optional<Reached> read() throws IOException {
    budget.take();
    byte[] value;
    try {
      value = hdfs.getXAttrs(directory).get(ATTRIBUTE);
    } catch (FileNotFoundException | RemoteException e) {
      return Optional.empty();
    }
    Matcher found = VALUE.matcher(value == null ? "" : new String(value, StandardCharsets.UTF_8));
    return found.matches()
        ? Optional.of(
            new Reached(
                number(found, 1),
                number(found, 2),
                number(found, 3),
                Objects.requireNonNullElse(found.group(4), "")))
        : Optional.empty();
  }

  private static long number(Matcher found, int group) {
    return found.group(group) == null ? 0 : Long.parseLong(found.group(group));
  }

  @Override
  public void write(Reached now) throws IOException {
    budget.take();
    String numbers = now.epoch() + " " + now.plan() + " " + now.changes();
    hdfs.setXAttr(
        directory,
        ATTRIBUTE,
        (numbers + " " + now.began()).strip().getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }
}
