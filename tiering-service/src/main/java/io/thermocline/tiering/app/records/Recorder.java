// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.FaultPoint;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.UnrecordedException;
import io.thermocline.tiering.journal.FencedException;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the journal for all that acts, and holds it back while that can't be written: nothing is begun that isn't
 * recorded, and what came of things is kept until it can be. Thread-safe.
 *
 * <p>Whoever comes while lines are being written leaves his own to the next who writes: so many
 * lines take hardly longer than one, each before what it says is done.
 */
public final class Recorder {

  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final String HOLD = "journal";
  private static final int LONGEST_REST = 16;

  /** No more is taken once so many entries wait. What is under way has far fewer, and nothing begins meanwhile. */
  static final int MOST_WAITING = 100_000;

  private final Journal journal;
  private final ExecutionControl control;
  private final Clock clock;
  private final FaultPoint faults;

  /** Nobody has tried to write them yet. */
  private final Queue<Batch> fresh = new ConcurrentLinkedQueue<>();

  // Guarded by this.
  private final List<Batch> unwritten = new ArrayList<>();
  private String failure = "";

  /** Why the last try failed; null while the journal can be written. */
  private IOException cause;

  /** Entries in what is unwritten that say what came of something. */
  private int waiting;

  /** Of those, how many there was no room for. */
  private long lost;

  private int rest;
  private int nextRest;

  private volatile boolean fenced;

  /**
   * What is to be recorded.
   *
   * @param name of its fault points
   */
  public record Line(String name, JournalEntry entry) {}

  /** Lines that are written together. Guarded by the recorder. */
  private static final class Batch {
    private final List<Line> lines;
    private final boolean isBefore;
    private boolean isWritten;
    private IOException failure;

    Batch(List<Line> lines, boolean isBefore) {
      this.lines = lines;
      this.isBefore = isBefore;
    }
  }

  public Recorder(Journal journal, ExecutionControl control, ServiceRuntime runtime) {
    this.journal = journal;
    this.control = control;
    this.clock = runtime.clock();
    this.faults = runtime.faults();
  }

  public String now() {
    return clock.instant().toString();
  }

  /**
   * Records what is done next.
   *
   * @throws IOException where it can't be; then it may not be done
   */
  public void before(String name, JournalEntry entry) throws IOException {
    before(List.of(new Line(name, entry)));
  }

  /** The same of several at once. */
  public void before(List<Line> lines) throws IOException {
    Batch batch = new Batch(lines, true);
    record(batch);
    if (batch.failure != null) {
      throw batch.failure;
    }
  }

  /** Records what came of something, now or as soon as that is possible. */
  public void after(String name, JournalEntry entry) {
    after(List.of(new Line(name, entry)));
  }

  /** The same of several at once. */
  public void after(List<Line> lines) {
    record(new Batch(lines, false));
  }

  /** Writes what the journal noted, now or as soon as that is possible. */
  public void writeNoted() {
    after(List.of());
  }

  /**
   * Puts another policy in the place of one of the service's own, recorded first.
   *
   * @throws ChangedSinceException where it isn't the service's any more; then that is recorded
   * @throws UnrecordedException where the journal can't be written
   * @throws IOException where HDFS refuses; then that is recorded, too
   */
  public void replacePolicy(HdfsCalls hdfs, String path, String policy, HdfsCalls.Own own)
      throws IOException {
    try {
      before("policy", new JournalEntry.PolicySet(now(), path, policy, own.policy()));
    } catch (IOException e) {
      throw new UnrecordedException("the policy of " + path, e);
    }
    try {
      hdfs.setStoragePolicy(path, policy, own);
    } catch (ChangedSinceException e) {
      notSet(path);
      throw e;
    } catch (IOException e) {
      if (isInForce(hdfs, path, own.policy())) {
        after("policy", new JournalEntry.PolicySet(now(), path, own.policy(), own.policy()));
      }
      throw e;
    }
  }

  private static boolean isInForce(HdfsCalls hdfs, String path, String policy) {
    try {
      return hdfs.storagePolicy(path).equals(policy);
    } catch (IOException e) {
      return false;
    }
  }

  /** What was recorded of a policy didn't happen: somebody changed the path meanwhile, and it is theirs. */
  public void notSet(String path) {
    after(
        "takenOver",
        new JournalEntry.TakenOver(now(), path, JournalEntry.Taken.POLICY, "somebody", 0));
  }

  private void record(Batch batch) {
    batch.lines.forEach(line -> faults.at(line.name() + ".unrecorded"));
    fresh.add(batch);
    boolean isWritten;
    synchronized (this) {
      if (cause != null) {
        // The next try is retry's: one a call would be many, each of all that waits.
        take();
      } else if (!batch.isWritten && batch.failure == null) {
        write();
      }
      isWritten = batch.isWritten;
    }
    if (isWritten) {
      batch.lines.forEach(line -> faults.at(line.name() + ".recorded"));
    }
  }

  /** Whether another process writes the journal by now. */
  public boolean isFenced() {
    return fenced;
  }

  /** Entries that can't be written yet. */
  public synchronized int waiting() {
    return waiting;
  }

  /** Tries for the last time to write what waits. */
  public synchronized void end() {
    if (waiting > 0 && !fenced && !write()) {
      LOG.error(
          "{} entries of the journal are lost: the next start asks HDFS what came of moves",
          waiting);
    }
  }

  /** To be called every second or so: goes on where the journal can be written again, and looks whether it is there. */
  public synchronized void retry() {
    if (fenced) {
      return;
    }
    if (failure.isEmpty()) {
      requireInPlace();
      return;
    }
    if (rest-- > 0) {
      control.hold(HOLD, words());
      return;
    }
    Line held = new Line("held", new JournalEntry.Held(now(), failure));
    unwritten.add(0, new Batch(List.of(held), true));
    if (write()) {
      LOG.info("the journal can be written again");
      failure = "";
      cause = null;
      nextRest = 0;
      if (lost == 0) {
        control.release(HOLD);
      } else {
        control.hold(HOLD, words());
      }
    } else {
      // What a try leaves behind where the journal is shouldn't add up while a disk is full.
      rest = nextRest;
      nextRest = Math.min(LONGEST_REST, 2 * nextRest + 1);
    }
  }

  private void requireInPlace() {
    try {
      journal.requireInPlace();
    } catch (IOException e) {
      hold(e);
    }
  }

  /** Writes all that waits; what can't be recorded before it is done is forgotten. */
  private synchronized boolean write() {
    take();
    try {
      journal.append(
          unwritten.stream().flatMap(batch -> batch.lines.stream()).map(Line::entry).toList());
    } catch (IOException e) {
      unwritten.stream().filter(batch -> batch.isBefore).forEach(batch -> batch.failure = e);
      unwritten.removeIf(batch -> batch.isBefore);
      hold(e);
      return false;
    }
    control.watch().progressed();
    unwritten.forEach(batch -> batch.isWritten = true);
    unwritten.clear();
    waiting = 0;
    return true;
  }

  /** While the journal can't be written, what can't be recorded before it is done fails, and the rest waits. */
  private void take() {
    for (Batch batch = fresh.poll(); batch != null; batch = fresh.poll()) {
      if (batch.isBefore && cause != null) {
        batch.failure = cause;
      } else if (cause != null && waiting >= MOST_WAITING) {
        lose(batch);
      } else {
        unwritten.add(batch);
        waiting += batch.isBefore ? 0 : batch.lines.size();
      }
    }
  }

  private void lose(Batch batch) {
    lost += batch.lines.size();
    batch.failure = cause;
    batch.lines.forEach(
        line -> LOG.error("lost, as the journal can't be written for long: {}", line.entry()));
  }

  private void hold(IOException why) {
    if (fenced) {
      return;
    }
    if (why instanceof FencedException) {
      LOG.error("another service acts now: this one begins nothing any more", why);
      fenced = true;
      control.end(ExecutionControl.Stop.ABANDON);
    } else if (failure.isEmpty()) {
      LOG.error("the journal can't be written: nothing is begun until it can", why);
    }
    cause = why;
    failure = "the journal can't be written: " + why.getMessage();
    control.hold(HOLD, words());
  }

  private String words() {
    List<String> words = new ArrayList<>();
    if (!failure.isEmpty()) {
      words.add(failure);
    }
    if (waiting > 0) {
      words.add(waiting + " of at most " + MOST_WAITING + " entries wait for that");
    }
    if (lost > 0) {
      words.add(
          lost
              + " entries of the journal were lost while it couldn't be written: the service's log has them; restart"
              + " the service, which asks HDFS what came of moves");
    }
    return String.join("; ", words);
  }
}
