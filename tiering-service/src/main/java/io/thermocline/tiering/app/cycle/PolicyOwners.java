// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Source;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.process.PathSet;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Set;

/**
 * Whose the storage policies of files are: one that somebody set, on the file or above it, is theirs, and leaves the file
 * alone (docs/decisions/0007). Names of policies are given by id. Thread-safe.
 */
final class PolicyOwners {

  /** In force where none is set. */
  static final String DEFAULT_POLICY = "HOT";

  private final PathSet overridden;
  private final Journal journal;
  private final Clock clock;
  private volatile HintsInForce hints = HintsInForce.NONE;

  /**
   * @param overridden paths where no policy counts as somebody's
   */
  PolicyOwners(PathSet overridden, Journal journal, Clock clock) {
    this.overridden = overridden;
    this.journal = journal;
    this.clock = clock;
  }

  /** What clients' file systems set for these hints is nobody's wish. */
  void begin(HintsInForce inForce) {
    hints = inForce;
  }

  static String policyOf(FileView file, Map<Integer, String> names) {
    return names.getOrDefault(file.storagePolicy(), DEFAULT_POLICY);
  }

  /** Whether its file may be moved: ours are in the journal. */
  boolean isOurs(FileView file, Map<Integer, String> names) {
    return file.storagePolicy() == 0
        || overridden.contains(file.path())
        || journal.maySet(file.path(), names.getOrDefault(file.storagePolicy(), ""))
        || isRedirected(file.path());
  }

  /**
   * Whether the file may have a policy of its own, so that it would not inherit one. Where somebody's policy is in force, HDFS
   * doesn't say whether it is on the file or above it.
   */
  boolean mayHaveOwn(FileView file, Map<Integer, String> names) {
    return journal.hasSet(file.path()) || hasTheirs(file, names);
  }

  /** Whether a policy is in force that somebody else set, on the file or above it, also where that doesn't count. */
  boolean hasTheirs(FileView file, Map<Integer, String> names) {
    return file.storagePolicy() != 0
        && !journal.maySet(file.path(), names.getOrDefault(file.storagePolicy(), ""));
  }

  /** Whether the default, set by us, replaced a policy that somebody had set on this very path. */
  boolean replacesAnother(String path) {
    return !Set.of("", DEFAULT_POLICY).contains(journal.originalPolicy(path, DEFAULT_POLICY));
  }

  /** What a client's file system set for a hint is ours from now on: leases of hints end. */
  void takeOver(FileView file, Map<Integer, String> names) throws IOException {
    String policy = names.getOrDefault(file.storagePolicy(), "");
    if (file.storagePolicy() != 0
        && isRedirected(file.path())
        && !journal.maySet(file.path(), policy)) {
      journal.append(
          new JournalEntry.PolicySet(clock.instant().toString(), file.path(), policy, ""));
    }
  }

  private boolean isRedirected(String path) {
    return hints
        .of(path, Operation.REDIRECT)
        .filter(given -> given.path().equals(path))
        .filter(given -> given.hint().source() == Source.FILE_SYSTEM)
        .isPresent();
  }
}
