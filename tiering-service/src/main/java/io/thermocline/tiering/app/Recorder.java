// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.FaultPoint;
import io.thermocline.tiering.act.Steering;
import io.thermocline.tiering.journal.FencedException;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the journal for all that acts, and holds it back while that can't be written: nothing is begun that isn't
 * recorded, and what came of things is kept until it can be. Thread-safe.
 */
final class Recorder {

  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final String HOLD = "journal";

  private final Journal journal;
  private final Steering steering;
  private final Clock clock;
  private final FaultPoint faults;
  private final Deque<JournalEntry> late = new ArrayDeque<>();
  private String failure = "";
  private volatile boolean fenced;

  Recorder(Journal journal, Steering steering, Seams seams) {
    this.journal = journal;
    this.steering = steering;
    this.clock = seams.clock();
    this.faults = seams.faults();
  }

  String now() {
    return clock.instant().toString();
  }

  /**
   * Records what is done next.
   *
   * @throws IOException where it can't be; then it may not be done
   */
  synchronized void before(String name, JournalEntry entry) throws IOException {
    faults.at(name + ".unrecorded");
    try {
      appendLate();
      journal.append(entry);
    } catch (IOException e) {
      hold(e);
      throw e;
    }
    faults.at(name + ".recorded");
  }

  /** Records what came of something, now or as soon as that is possible. */
  synchronized void after(String name, JournalEntry entry) {
    faults.at(name + ".unrecorded");
    late.add(entry);
    try {
      appendLate();
    } catch (IOException e) {
      hold(e);
      return;
    }
    faults.at(name + ".recorded");
  }

  /** Whether another process writes the journal by now. */
  boolean isFenced() {
    return fenced;
  }

  /** To be called every second or so: goes on where the journal can be written again. */
  synchronized void retry() {
    if (failure.isEmpty() || fenced) {
      return;
    }
    try {
      journal.append(new JournalEntry.Held(now(), failure));
      appendLate();
    } catch (IOException e) {
      hold(e);
      return;
    }
    LOG.info("the journal can be written again: going on");
    failure = "";
    steering.release(HOLD);
  }

  private void appendLate() throws IOException {
    while (!late.isEmpty()) {
      journal.append(late.peek());
      late.remove();
    }
  }

  private void hold(IOException cause) {
    if (cause instanceof FencedException) {
      LOG.error("another service acts now: this one begins nothing any more", cause);
      fenced = true;
      steering.end(Steering.Stop.ABANDON);
    }
    if (failure.isEmpty()) {
      LOG.error("the journal can't be written: nothing is begun until it can", cause);
    }
    failure = "the journal can't be written: " + cause.getMessage();
    steering.hold(HOLD, failure);
  }
}
