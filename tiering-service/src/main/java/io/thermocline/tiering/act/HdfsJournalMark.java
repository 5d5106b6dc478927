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
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (RemoteException e) {
      if (MarkAttributes.areDisabled(e)) {
        return Optional.empty();
      }
      throw e;
    }
    if (value == null) {
      return Optional.empty();
    }
    String text = new String(value, StandardCharsets.UTF_8);
    Matcher found = VALUE.matcher(text);
    if (!found.matches()) {
      throw new IOException(
          "%s of %s is no mark of a journal: '%s'. If that is damage, remove it: hdfs dfs -setfattr -x %s %s"
              .formatted(ATTRIBUTE, directory, text, ATTRIBUTE, directory));
    }
    return Optional.of(
        new Reached(
            number(found, 1),
            number(found, 2),
            number(found, 3),
            Objects.requireNonNullElse(found.group(4), "")));
  }

  private static long number(Matcher found, int group) {
    return found.group(group) == null ? 0 : Long.parseLong(found.group(group));
  }

  @Override
  public void write(Reached now) throws IOException {
    Optional<Reached> there = read();
    if (there.isPresent() && now.isBehind(there.get())) {
      throw new IOException(
          "HDFS shows that the journal reached %s (%s), and this one ends with %s"
              .formatted(there.get(), ATTRIBUTE, now));
    }
    budget.take();
    String numbers = now.epoch() + " " + now.plan() + " " + now.changes();
    hdfs.setXAttr(
        directory,
        ATTRIBUTE,
        (numbers + " " + now.began()).strip().getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }
}
