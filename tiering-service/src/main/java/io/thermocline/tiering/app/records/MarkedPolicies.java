// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.act.mover.UnknownRequestException;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the journal was lost: storage policies that HDFS shows to be the service's own. Stateless. */
public final class MarkedPolicies {

  private static final Logger LOG = LoggerFactory.getLogger(MarkedPolicies.class);
  private static final int BATCH = 1000;

  private MarkedPolicies() {}

  /**
   * Records each policy whose mark says that it is ours, and is the one that is in force; and of those that the journal has
   * as ours each one without a mark as taken over. What others did after that the audit log says: it must be read from where
   * it was read to before.
   *
   * @param roots directories that are managed
   * @throws IOException where HDFS can't be asked, or the journal not be written
   */
  public static void recover(
      Journal journal,
      HdfsActions hdfs,
      HdfsReader reader,
      List<String> roots,
      Predicate<String> ignored,
      Instant now)
      throws IOException {
    try {
      disown(journal, hdfs, now);
      claim(journal, hdfs, reader, roots, ignored);
    } catch (UnknownRequestException e) {
      LOG.warn("which storage policies are the service's own can't be asked: {}", e.getMessage());
    }
  }

  /** An older copy of the journal doesn't know what others took over later. */
  private static void disown(Journal journal, HdfsActions hdfs, Instant now) throws IOException {
    for (Map.Entry<String, String> known : journal.policies().entrySet()) {
      String path = known.getKey();
      if (mark(hdfs, path).filter(mark -> mark.policy().equals(known.getValue())).isEmpty()) {
        journal.append(
            new JournalEntry.TakenOver(
                now.toString(), path, JournalEntry.Taken.POLICY, "somebody", 0));
      }
    }
  }

  private static void claim(
      Journal journal,
      HdfsActions hdfs,
      HdfsReader reader,
      List<String> roots,
      Predicate<String> ignored)
      throws IOException {
    Map<Integer, String> names = reader.storagePolicies();
    List<JournalEntry.PolicySet> ours = new ArrayList<>();
    int[] found = new int[1];
    reader.ownPolicies(
        roots,
        ignored,
        (path, policy) -> {
          Optional<PolicyMarks.Mark> mark = mark(hdfs, path);
          if (mark.isPresent()
              && mark.get().policy().equals(names.get(policy))
              && !journal.hasSet(path)
              && journal.taken(path, JournalEntry.Taken.POLICY).isEmpty()) {
            ours.add(
                new JournalEntry.PolicySet(
                    mark.get().at().toString(), path, mark.get().policy(), null));
            found[0]++;
          }
          if (ours.size() == BATCH) {
            journal.append(ours);
            ours.clear();
          }
        });
    journal.append(ours);
    LOG.info(
        "{} storage policies are the service's own, by {} of their files and directories",
        found[0],
        PolicyMarks.ATTRIBUTE);
  }

  private static Optional<PolicyMarks.Mark> mark(HdfsActions hdfs, String path) throws IOException {
    try {
      return hdfs.mark(path);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }
}
