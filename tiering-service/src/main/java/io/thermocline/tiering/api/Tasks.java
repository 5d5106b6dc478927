// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What the service is at, and what it was at last. Thread-safe; the oldest that ended are forgotten. */
public final class Tasks {

  private static final int MOST = 1000;
  private static final double MILLIS = 1000;

  private final Clock clock;
  private final NavigableMap<Long, Running> tasks = new TreeMap<>();
  private long last;

  /** Where a task is. */
  public enum State {
    RUNNING,
    DONE,
    FAILED
  }

  /** Steps that are done, of all. */
  public record Progress(long done, long total) {}

  public Tasks(Clock clock) {
    this.clock = clock;
  }

  /**
   * Adds a task that begins now.
   *
   * @param progress is asked whenever somebody looks
   */
  public synchronized Running begin(
      String what, String who, String why, Supplier<Progress> progress) {
    Running task = new Running(++last, what, who, why, progress);
    tasks.put(task.id, task);
    while (tasks.size() > MOST) {
      Optional<Running> oldest =
          tasks.values().stream().filter(each -> each.ended != null).findFirst();
      if (oldest.isEmpty()) {
        break;
      }
      tasks.remove(oldest.get().id);
    }
    return task;
  }

  /** Newest first. */
  public synchronized List<Task> all() {
    return tasks.descendingMap().values().stream().map(Running::now).toList();
  }

  public synchronized Optional<Task> get(long id) {
    return Optional.ofNullable(tasks.get(id)).map(Running::now);
  }

  /** For whoever does the task. */
  public final class Running {
    private final long id;
    private final String what;
    private final String who;
    private final String why;
    private final Instant began = clock.instant();
    private Supplier<Progress> progress;
    private State state = State.RUNNING;
    private Instant ended;
    private String result;

    private Running(long id, String what, String who, String why, Supplier<Progress> progress) {
      this.id = id;
      this.what = what;
      this.who = who;
      this.why = why;
      this.progress = progress;
    }

    public long id() {
      return id;
    }

    /** Ends it, once. */
    public void end(State how, String words) {
      Progress at = progress.get();
      synchronized (Tasks.this) {
        state = how;
        result = words;
        ended = clock.instant();
        progress = () -> at;
      }
    }

    private Task now() {
      Progress at = progress.get();
      Optional<Double> left = Optional.empty();
      if (ended == null && at.done() > 0) {
        double spent = Duration.between(began, clock.instant()).toMillis() / MILLIS;
        left = Optional.of(spent / at.done() * Math.max(0, at.total() - at.done()));
      }
      return new Task(
          id,
          state,
          what,
          who,
          why,
          began,
          Optional.ofNullable(ended),
          at.done(),
          at.total(),
          left,
          Optional.ofNullable(result));
    }
  }
}
