// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.FaultPoint;
import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.act.Steering;
import io.thermocline.tiering.act.UnrecordedException;
import io.thermocline.tiering.journal.FencedException;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.process.Seams;
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

  private final Journal journal;
  private final Steering steering;
  private final Clock clock;
  private final FaultPoint faults;

  /** Nobody has tried to write them yet. */
  private final Queue<Batch> fresh = new ConcurrentLinkedQueue<>();

  // Guarded by this.
  private final List<Batch> unwritten = new ArrayList<>();
  private String failure = "";
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

  public Recorder(Journal journal, Steering steering, Seams seams) {
    this.journal = journal;
    this.steering = steering;
    this.clock = seams.clock();
    this.faults = seams.faults();
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

  /**
   * Puts another policy in the place of one of the service's own, recorded first.
   *
   * @throws ChangedSinceException where it isn't the service's any more; then that is recorded
   * @throws UnrecordedException where the journal can't be written
   * @throws IOException where HDFS refuses; then that is recorded, too
   */
  public void replacePolicy(HdfsActions hdfs, String path, String policy, HdfsActions.Own own)
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

  private static boolean isInForce(HdfsActions hdfs, String path, String policy) {
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
      if (!batch.isWritten && batch.failure == null) {
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
      return;
    }
    Line held = new Line("held", new JournalEntry.Held(now(), failure));
    unwritten.add(0, new Batch(List.of(held), true));
    if (write()) {
      LOG.info("the journal can be written again: going on");
      failure = "";
      nextRest = 0;
      steering.release(HOLD);
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
    for (Batch batch = fresh.poll(); batch != null; batch = fresh.poll()) {
      unwritten.add(batch);
    }
    try {
      journal.append(
          unwritten.stream().flatMap(batch -> batch.lines.stream()).map(Line::entry).toList());
    } catch (IOException e) {
      unwritten.stream().filter(batch -> batch.isBefore).forEach(batch -> batch.failure = e);
      unwritten.removeIf(batch -> batch.isBefore);
      hold(e);
      return false;
    }
    steering.watch().progressed();
    unwritten.forEach(batch -> batch.isWritten = true);
    unwritten.clear();
    return true;
  }

  private void hold(IOException cause) {
    if (fenced) {
      return;
    }
    if (cause instanceof FencedException) {
      LOG.error("another service acts now: this one begins nothing any more", cause);
      fenced = true;
      steering.end(Steering.Stop.ABANDON);
    } else if (failure.isEmpty()) {
      LOG.error("the journal can't be written: nothing is begun until it can", cause);
    }
    failure = "the journal can't be written: " + cause.getMessage();
    steering.hold(HOLD, failure);
  }
}
