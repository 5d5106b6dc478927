// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.act.mover.UnknownRequestException;
import io.thermocline.tiering.app.records.MarkedActions;
import io.thermocline.tiering.app.records.MarkedPolicies;
import io.thermocline.tiering.app.records.OthersSettings;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a journal that was lost had as the service's own: that HDFS shows by marks. What others changed after that the audit
 * log says: it is read on from where it was read to before, or, where the position is lost too, from before the last mark,
 * until when a service ran and read it.
 */
final class LostJournal {

  private static final Logger LOG = LoggerFactory.getLogger(LostJournal.class);

  /** A service that couldn't read the logs for a while had marked what it set before. */
  private static final Duration BEFORE_LAST_MARK = Duration.ofHours(1);

  private static final int BATCH = 1000;

  private final Journal journal;
  private final HdfsCalls moves;
  private final ActionCalls actions;
  private final Observing observing;
  private int policies;
  private int factors;
  private int cached;
  private int unknown;

  private LostJournal(Journal journal, HdfsCalls moves, ActionCalls actions, Observing observing) {
    this.journal = journal;
    this.moves = moves;
    this.actions = actions;
    this.observing = observing;
  }

  /**
   * Records what is the service's own.
   *
   * @param ignored paths that are left as they are
   * @return what of it isn't known, a sentence; empty where all is
   * @throws IOException where HDFS or the logs can't be read, or the journal not be written
   */
  static Optional<String> recover(
      ServiceConfig config,
      Journal journal,
      HdfsCalls moves,
      ActionCalls actions,
      HdfsReader reader,
      Predicate<String> ignored,
      Observing observing,
      Instant now)
      throws IOException {
    LostJournal lost = new LostJournal(journal, moves, actions, observing);
    List<String> roots = config.manage().paths();
    List<JournalEntry> marked = new ArrayList<>();
    try {
      MarkedPolicies.disown(journal, moves, now);
      marked.addAll(MarkedPolicies.find(journal, moves, reader, roots, ignored));
    } catch (UnknownRequestException e) {
      LOG.warn("which storage policies are the service's own can't be asked: {}", e.getMessage());
    }
    MarkedActions.disown(journal, actions, now);
    String pool = config.decide().actions().pool();
    marked.addAll(MarkedActions.find(journal, actions, reader, roots, ignored, pool, now));
    lost.claim(observing.hasSaved() ? marked : lost.withoutTheirs(marked));
    return lost.unknown();
  }

  private void claim(List<JournalEntry> ours) throws IOException {
    for (int i = 0; i < ours.size(); i += BATCH) {
      journal.append(ours.subList(i, Math.min(ours.size(), i + BATCH)));
    }
    for (JournalEntry entry : ours) {
      policies += entry instanceof JournalEntry.PolicySet ? 1 : 0;
      factors += entry instanceof JournalEntry.ReplicationSet ? 1 : 0;
      cached += entry instanceof JournalEntry.CacheDirective ? 1 : 0;
    }
    LOG.info(
        "{} storage policies are the service's own, by {} of their files and directories",
        policies,
        PolicyMarks.ATTRIBUTE);
    LOG.info(
        "{} replication factors and {} cached files are the service's own, by marks in HDFS",
        factors,
        cached);
    unknown().ifPresent(sentence -> LOG.warn("not known: {}", sentence));
  }

  /** Of what is marked; a service that runs removes the marks of what others change, so only the time since matters. */
  private List<JournalEntry> withoutTheirs(List<JournalEntry> marked) throws IOException {
    Optional<Instant> last =
        marked.stream()
            .filter(entry -> path(entry) != null)
            .map(entry -> Instant.parse(entry.at()))
            .max(Instant::compareTo);
    if (last.isEmpty()) {
      return marked;
    }
    LOG.info("reading the audit logs since {}, for what others changed", last.get());
    OthersSettings others = observing.settings(last.get().minus(BEFORE_LAST_MARK), moves.user());
    boolean isKnown = others.isWhole() && observing.reachBack(last.get());
    List<JournalEntry> ours = new ArrayList<>();
    for (JournalEntry entry : marked) {
      if (path(entry) == null) {
        ours.add(entry);
      } else if (isTheirs(entry, others)) {
        unmark(entry);
      } else if (isKnown) {
        ours.add(entry);
      } else {
        unknown++;
      }
    }
    return ours;
  }

  /** Of what others may change; null where only the service changes it. */
  private static String path(JournalEntry entry) {
    if (entry instanceof JournalEntry.PolicySet policy) {
      return policy.path();
    }
    return entry instanceof JournalEntry.ReplicationSet factor ? factor.path() : null;
  }

  private static boolean isTheirs(JournalEntry entry, OthersSettings others) {
    Instant marked = Instant.parse(entry.at());
    return entry instanceof JournalEntry.PolicySet
        ? others.hasPolicySince(path(entry), marked)
        : others.hasFactorSince(path(entry), marked);
  }

  private void unmark(JournalEntry entry) throws IOException {
    try {
      if (entry instanceof JournalEntry.PolicySet) {
        moves.unmark(path(entry));
      } else {
        actions.unmarkReplication(path(entry));
      }
    } catch (FileNotFoundException e) {
      LOG.debug("{} is gone", path(entry));
    }
  }

  private Optional<String> unknown() {
    return unknown == 0
        ? Optional.empty()
        : Optional.of(
            "whose "
                + unknown
                + " storage policies and replication factors are that the service marked: the audit"
                + " logs don't reach back to the last mark. They count as somebody else's");
  }
}
