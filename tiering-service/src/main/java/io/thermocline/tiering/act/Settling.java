// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, beside whatever comes next, until HDFS shows no source of copies that clients are shown
 * already. The NameNode takes some heartbeats for that. Thread-safe.
 */
final class Settling {

  private static final Logger LOG = LoggerFactory.getLogger(Settling.class);
  private static final Duration SOON = Duration.ofMillis(250);

  private final Verifier verifier;
  private final ActLimits limits;
  private final PlanExecutor.Machinery machinery;

  // Guarded by this.
  private final List<FileTask> tasks = new ArrayList<>();
  private boolean isRunning;

  Settling(Verifier verifier, ActLimits limits, PlanExecutor.Machinery machinery) {
    this.verifier = verifier;
    this.limits = limits;
    this.machinery = machinery;
  }

  /** Takes over; a thread of the machinery goes on from here. */
  void add(List<FileTask> more) {
    synchronized (this) {
      tasks.addAll(more);
      if (isRunning || tasks.isEmpty()) {
        return;
      }
      isRunning = true;
    }
    machinery.copiers().execute(this::run);
  }

  private void run() {
    Cadence cadence = new Cadence(SOON, limits.verifyEvery(), machinery.nanos().getAsLong());
    try {
      while (true) {
        List<FileTask> open = open();
        if (open.isEmpty()) {
          return;
        }
        long begin = machinery.nanos().getAsLong();
        boolean sawChange = look(open);
        long end = machinery.nanos().getAsLong();
        cadence.looked(begin, end, sawChange);
        machinery.pause().pause(Duration.ofNanos(cadence.nanosUntilDue(end)));
      }
    } catch (InterruptedException e) {
      // The service ends. HDFS drops the sources whether anybody looks or not.
      Thread.currentThread().interrupt();
    }
  }

  private boolean look(List<FileTask> open) {
    try {
      return verifier.look(open);
    } catch (RuntimeException e) {
      // The next plans' files are looked at here, too.
      LOG.error("a look at {} files broke off", open.size(), e);
      return false;
    }
  }

  /** What is still to be looked at; where that is nothing, whoever comes next starts anew. */
  private synchronized List<FileTask> open() {
    if (machinery.control().isAbandoning()) {
      for (FileTask task : tasks) {
        task.abandon(machinery.control().reason());
      }
    }
    tasks.removeIf(FileTask::isSettled);
    isRunning = !tasks.isEmpty();
    return List.copyOf(tasks);
  }
}
