// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.PolicyMarks;
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

/** Where the journal was lost: storage policies that HDFS shows to be the service's own. Stateless. */
public final class MarkedPolicies {

  private MarkedPolicies() {}

  /** Policies that an older copy of the journal has as ours, and that have no mark, become somebody's. */
  public static void disown(Journal journal, HdfsCalls hdfs, Instant now) throws IOException {
    for (Map.Entry<String, String> known : journal.policies().entrySet()) {
      String path = known.getKey();
      if (mark(hdfs, path).filter(mark -> mark.policy().equals(known.getValue())).isEmpty()) {
        journal.append(
            new JournalEntry.TakenOver(
                now.toString(), path, JournalEntry.Taken.POLICY, "somebody", 0));
      }
    }
  }

  /**
   * Each policy that is in force, marked as ours, and that the journal doesn't know. Changes nothing.
   *
   * @param roots directories that are managed
   */
  public static List<JournalEntry.PolicySet> find(
      Journal journal,
      HdfsCalls hdfs,
      HdfsReader reader,
      List<String> roots,
      Predicate<String> ignored)
      throws IOException {
    Map<Integer, String> names = reader.storagePolicies();
    List<JournalEntry.PolicySet> found = new ArrayList<>();
    reader.ownPolicies(
        roots,
        ignored,
        (path, policy) -> {
          Optional<PolicyMarks.Mark> mark = mark(hdfs, path);
          if (mark.isPresent()
              && mark.get().policy().equals(names.get(policy))
              && !journal.hasSet(path)
              && journal.taken(path, JournalEntry.Taken.POLICY).isEmpty()) {
            found.add(
                new JournalEntry.PolicySet(
                    mark.get().at().toString(), path, mark.get().policy(), null));
          }
        });
    return found;
  }

  private static Optional<PolicyMarks.Mark> mark(HdfsCalls hdfs, String path) throws IOException {
    try {
      return hdfs.mark(path);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }
}
