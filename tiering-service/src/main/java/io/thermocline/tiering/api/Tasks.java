// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.tiering.decide.ChunkOperation;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What the service is at, and what it was at last, also before it was started. Thread-safe; the oldest that ended are
 * forgotten.
 */
public final class Tasks {

  /** How many are remembered, but for those that run. */
  public static final int MOST = 1000;

  private static final double MILLIS = 1000;

  private final Clock clock;
  private volatile Log log;
  private final NavigableMap<Long, Running> tasks = new TreeMap<>();
  private long last;

  /** Where a task is. */
  public enum State {
    RUNNING,
    DONE,
    FAILED
  }

  /**
   * How far a task is.
   *
   * @param done steps, of all
   * @param doneBytes of all that it copies; 0 of 0 where it copies nothing, or that isn't known
   * @param operations what it comes to, where a hint asks for it
   */
  public record Progress(
      long done, long total, long doneBytes, long totalBytes, List<ChunkOperation> operations) {
    public Progress(long done, long total) {
      this(done, total, List.of());
    }

    public Progress(long done, long total, List<ChunkOperation> operations) {
      this(done, total, 0, 0, operations);
    }

    public Progress(long done, long total, long doneBytes, long totalBytes) {
      this(done, total, doneBytes, totalBytes, List.of());
    }
  }

  /**
   * What is asked for.
   *
   * @param hint id of the hint that asks for it; empty where none does
   */
  public record Asked(String what, String who, String why, Optional<String> hint) {
    public Asked(String what, String who, String why) {
      this(what, who, why, Optional.empty());
    }
  }

  /** Where tasks outlast the service. */
  public interface Log {
    Log NONE =
        new Log() {
          @Override
          public void began(Task task) {}

          @Override
          public void ended(Task task) {}
        };

    /**
     * Takes a task that begins when this returns.
     *
     * @throws IOException where it can't be kept: then it doesn't begin
     */
    void began(Task task) throws IOException;

    /** Takes one that has ended; one that can't be kept is found running after a restart. */
    void ended(Task task);
  }

  /**
   * @param kept of earlier runs, in any order
   */
  public Tasks(Clock clock, Log log, List<Task> kept) {
    this.clock = clock;
    this.log = log;
    for (Task task : kept) {
      tasks.put(task.id(), new Running(task));
      last = Math.max(last, task.id());
    }
  }

  /** From now on they are kept there. */
  public void keepIn(Log another) {
    log = another;
  }

  /** That end with the service. */
  public Tasks(Clock clock) {
    this(clock, Log.NONE, List.of());
  }

  /**
   * Adds a task that begins now.
   *
   * @param progress is asked whenever somebody looks
   * @throws IOException where it can't be recorded
   */
  public Running begin(Asked asked, Supplier<Progress> progress) throws IOException {
    Running task = new Running(next(), asked, clock.instant(), progress);
    log.began(task.now());
    add(task);
    return task;
  }

  private synchronized long next() {
    return ++last;
  }

  private synchronized void add(Running task) {
    tasks.put(task.id, task);
    while (tasks.size() > MOST) {
      Optional<Running> oldest =
          tasks.values().stream().filter(each -> each.ended != null).findFirst();
      if (oldest.isEmpty()) {
        break;
      }
      tasks.remove(oldest.get().id);
    }
  }

  /** Newest first. */
  public synchronized List<Task> all() {
    return tasks.descendingMap().values().stream().map(Running::now).toList();
  }

  public synchronized Optional<Task> get(long id) {
    return Optional.ofNullable(tasks.get(id)).map(Running::now);
  }

  /** Those that haven't ended, oldest first. */
  public synchronized List<Running> running() {
    return tasks.values().stream().filter(each -> each.ended == null).toList();
  }

  /** For whoever does the task. */
  public final class Running {
    private final long id;
    private final Asked asked;
    private final Instant began;
    private Supplier<Progress> progress;
    private State state = State.RUNNING;
    private Instant ended;
    private String result;

    private Running(long id, Asked asked, Instant began, Supplier<Progress> progress) {
      this.id = id;
      this.asked = asked;
      this.began = began;
      this.progress = progress;
    }

    private Running(Task kept) {
      this(
          kept.id(),
          new Asked(kept.what(), kept.who(), kept.why(), kept.hint()),
          kept.began(),
          () ->
              new Progress(
                  kept.done(),
                  kept.total(),
                  kept.doneBytes().orElse(0L),
                  kept.totalBytes().orElse(0L),
                  kept.operations()));
      state = kept.state();
      ended = kept.ended().orElse(null);
      result = kept.result().orElse(null);
    }

    public long id() {
      return id;
    }

    public Instant began() {
      return began;
    }

    public Asked asked() {
      return asked;
    }

    /** Has another than who began it go on with it. */
    public void goesOn(Supplier<Progress> by) {
      synchronized (Tasks.this) {
        progress = by;
      }
    }

    /** Ends it, once. */
    public void end(State how, String words) {
      Progress at = progress.get();
      Task now;
      synchronized (Tasks.this) {
        state = how;
        result = words;
        ended = clock.instant();
        progress = () -> at;
        now = now();
      }
      log.ended(now);
    }

    private Task now() {
      Progress at = progress.get();
      Optional<Double> left = Optional.empty();
      // Files differ in size: bytes say more than steps.
      boolean isByBytes = at.doneBytes() > 0;
      double done = isByBytes ? at.doneBytes() : at.done();
      double total = isByBytes ? at.totalBytes() : at.total();
      if (ended == null && done > 0) {
        double spent = Duration.between(began, clock.instant()).toMillis() / MILLIS;
        left = Optional.of(spent / done * Math.max(0, total - done));
      }
      Optional<Long> bytes = Optional.of(at.totalBytes()).filter(all -> all > 0);
      return new Task(
          id,
          state,
          asked.what(),
          asked.who(),
          asked.why(),
          asked.hint(),
          began,
          Optional.ofNullable(ended),
          at.done(),
          at.total(),
          bytes.map(all -> at.doneBytes()),
          bytes,
          left,
          at.operations(),
          Optional.ofNullable(result));
    }
  }
}
