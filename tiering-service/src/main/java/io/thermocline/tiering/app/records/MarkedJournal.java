// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsJournalMark;
import io.thermocline.tiering.act.HeldBackException;
import io.thermocline.tiering.act.JournalMark;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.mover.MoverClient;
import io.thermocline.tiering.act.mover.RemoteMark;
import io.thermocline.tiering.act.mover.UnknownRequestException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.process.Superuser;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.LongFunction;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the journal with its mark in HDFS, and keeps the mark up with it: a journal that was lost, or replaced by an
 * older copy, would have the service take its own storage policies, replicas and cached files for somebody else's.
 * Thread-safe.
 */
public final class MarkedJournal {

  private static final Logger LOG = LoggerFactory.getLogger(MarkedJournal.class);
  private static final String HOLD = "lostJournal";

  private final Journal journal;
  private final LongFunction<JournalMark> marks;
  private final String where;

  /** Before this start. */
  private final JournalMark.Reached found;

  // Guarded by this.
  private ExecutionControl control;
  private JournalMark.Reached written;
  private State state = State.UNCHECKED;
  private boolean hasFailed;

  private enum State {
    /** A mover apart has the mark, and didn't answer yet. */
    UNCHECKED,
    FINE,
    LOST,
    /** The mover is of a version that marks nothing. */
    UNMARKED
  }

  /**
   * @param marks the mark as the service of an epoch reads and writes it
   * @param where the journal is, in words
   */
  private MarkedJournal(Journal journal, LongFunction<JournalMark> marks, String where) {
    this.journal = journal;
    this.marks = marks;
    this.where = where;
    this.found = reached();
  }

  /** The mark on the mutex's directory, by a mover where there is one. */
  public static MarkedJournal of(
      ServiceConfig config, DistributedFileSystem hdfs, Journal journal, OperationBudget budget) {
    HdfsJournalMark own = new HdfsJournalMark(hdfs, new Path(config.act().mutex()), budget);
    Object where = config.shared().journal() == null ? config.journal() : config.shared().journal();
    return new MarkedJournal(
        journal,
        epoch ->
            config.hdfs().mover() == null
                ? own
                : new RemoteMark(
                    Superuser.mover(config, new MoverClient.Terms(MoverClient.Away.WAIT, epoch))),
        where.toString());
  }

  private JournalMark.Reached reached() {
    return new JournalMark.Reached(
        journal.epoch(), journal.lastPlan(), journal.changes(), journal.began().orElse(""));
  }

  /**
   * In words, what the journal lacks; empty where it lacks nothing, or a mover doesn't answer.
   *
   * @throws IOException where HDFS can't be asked
   */
  public synchronized Optional<String> lacks() throws IOException {
    try {
      return lacks(read());
    } catch (HeldBackException e) {
      LOG.info("how far the journal was isn't known yet: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<JournalMark.Reached> read() throws IOException {
    Optional<JournalMark.Reached> marked;
    try {
      marked = marks.apply(journal.epoch() + 1).read();
      state = State.FINE;
    } catch (UnknownRequestException e) {
      LOG.warn("a lost journal won't be noticed: {}", e.getMessage());
      marked = Optional.empty();
      state = State.UNMARKED;
    }
    return marked;
  }

  private Optional<String> lacks(Optional<JournalMark.Reached> marked) {
    return marked
        .filter(mark -> !found.includes(mark))
        .map(
            mark ->
                found.isOf(mark) || found.epoch() == 0
                    ? "the journal in %s ends with %s, but HDFS shows that it reached %s (%s)."
                        .formatted(where, found, mark, JournalMark.ATTRIBUTE)
                    : "the journal in %s %s, but HDFS shows that the right one began at %s (%s)."
                        .formatted(
                            where,
                            found.began().isEmpty()
                                ? "doesn't say when it began"
                                : "began at " + found.began(),
                            mark.began(),
                            JournalMark.ATTRIBUTE));
  }

  /**
   * Goes on with the journal as it is. Numbers of starts, plans and changes go on from the mark: movers refuse earlier
   * epochs, and people know plans by their numbers.
   *
   * @throws IOException where the mark can't be read
   */
  public synchronized void accept(String mode, Clock clock) throws IOException {
    JournalMark.Reached from = read().orElse(new JournalMark.Reached(0, 0, 0, ""));
    String now = clock.instant().toString();
    journal.append(
        new JournalEntry.Started(
            now,
            mode,
            Math.max(from.epoch(), journal.epoch()),
            from.changes(),
            journal.began().orElse(now)));
    if (from.plan() > journal.lastPlan()) {
      journal.append(new JournalEntry.PlanEnded(now, from.plan()));
    }
  }

  /** From now on what is found later holds this back. */
  public synchronized void steer(ExecutionControl steers) {
    control = steers;
  }

  /**
   * Compares, where a mover didn't answer before. It answers this also where it does nothing for the service, because the
   * journal is older by several starts.
   */
  public synchronized void compare() {
    attempt(this::check);
  }

  /**
   * Marks what is on the journal's disk. A failure is no reason not to act: it is logged, and tried again with the next
   * call.
   */
  public synchronized void keepUp() {
    attempt(
        () -> {
          check();
          write();
        });
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private void attempt(Attempt attempt) {
    try {
      attempt.run();
    } catch (HeldBackException e) {
      LOG.debug("the mover marks nothing now", e);
    } catch (IOException e) {
      if (!hasFailed) {
        LOG.warn("the journal can't be marked, so a lost one won't be noticed", e);
      }
      hasFailed = true;
    }
  }

  private void write() throws IOException {
    JournalMark.Reached now = reached();
    if (state == State.FINE && !now.equals(written)) {
      // Else a power failure could leave the journal behind its mark.
      journal.sync();
      marks.apply(now.epoch()).write(now);
      written = now;
      hasFailed = false;
    }
  }

  private void check() throws IOException {
    if (state != State.UNCHECKED) {
      return;
    }
    Optional<String> lacks = lacks(read());
    if (lacks.isPresent()) {
      state = State.LOST;
      LOG.error("{}", lacks.get() + ADVICE);
      control.hold(HOLD, lacks.get());
    }
  }

  /** What to do about it. */
  public static final String ADVICE =
      " It was lost, or replaced by an older copy, or journal.directory names another one. Put the right one"
          + " back, or start once with --accept-journal: the service then recovers what it set by its marks in HDFS. What"
          + " has no mark counts as somebody else's, and is left as it is.";
}
