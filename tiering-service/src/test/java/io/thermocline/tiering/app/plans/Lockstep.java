// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads of which one runs at a time, from one step to the next, in an order that the test decides; their time passes where
 * none of them can run.
 */
final class Lockstep extends AbstractExecutorService {

  /** A thread that waits for what no other thread does is stuck after this time. */
  private static final long STUCK_MILLIS = 30_000;

  private final List<Worker> workers = new ArrayList<>();
  private final List<Throwable> defects = new ArrayList<>();
  private volatile boolean dead;
  private volatile long nanos = 1;
  private long steps;

  /** The process has died. */
  static final class Death extends Error {
    private static final long serialVersionUID = 1L;

    Death() {
      super("killed", null, false, false);
    }
  }

  private final class Worker extends Thread {
    private final Runnable task;
    private volatile boolean parked;
    private volatile long granted;
    private volatile long taken;
    private volatile boolean ended;
    private volatile long wakesNanos;

    Worker(Runnable task) {
      this.task = task;
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        park(0);
        task.run();
      } catch (Death e) {
        // As all threads of the process.
      } catch (RuntimeException | Error e) {
        defect(e);
      } finally {
        ended = true;
      }
    }

    private void park(long until) {
      wakesNanos = until;
      parked = true;
      while (taken == granted) {
        LockSupport.park(this);
      }
      parked = false;
      taken = granted;
      if (dead) {
        throw new Death();
      }
    }

    /** Returns when it runs. */
    void wake() {
      granted = taken + 1;
      LockSupport.unpark(this);
      while (taken != granted) {
        Thread.onSpinWait();
      }
    }

    /** Parked, at its end, or waiting for another thread. */
    boolean isQuiet() {
      return parked
          || ended
          || switch (getState()) {
            case WAITING, TIMED_WAITING, BLOCKED, TERMINATED -> !parked;
            case NEW, RUNNABLE -> false;
          };
    }
  }

  synchronized void defect(Throwable e) {
    defects.add(e);
  }

  synchronized List<Throwable> defects() {
    return List.copyOf(defects);
  }

  long nanos() {
    if (dead && Thread.currentThread() instanceof Worker) {
      throw new Death();
    }
    return nanos;
  }

  long steps() {
    return steps;
  }

  /** Others may come in between here. */
  void point() {
    if (Thread.currentThread() instanceof Worker worker) {
      worker.park(0);
    }
  }

  void pause(Duration duration) {
    if (Thread.currentThread() instanceof Worker worker) {
      worker.park(nanos + Math.max(1, duration.toNanos()));
    }
  }

  @Override
  public void execute(Runnable task) {
    Worker worker = new Worker(task);
    synchronized (this) {
      workers.add(worker);
    }
    worker.start();
  }

  /**
   * Has one thread make a step.
   *
   * @param random which one; null: the one that was started last, so that nothing comes between
   * @return false where all are at their end
   * @throws IllegalStateException where threads wait for each other
   */
  boolean step(SplittableRandom random) throws InterruptedException {
    long waited = System.nanoTime();
    while (true) {
      List<Worker> able = new ArrayList<>();
      long first = Long.MAX_VALUE;
      boolean anyLeft = false;
      for (Worker worker : settled()) {
        anyLeft |= !worker.ended;
        if (worker.parked && worker.wakesNanos <= nanos) {
          able.add(worker);
        } else if (worker.parked) {
          first = Math.min(first, worker.wakesNanos);
        }
      }
      if (!able.isEmpty()) {
        steps++;
        able.get(random == null ? able.size() - 1 : random.nextInt(able.size())).wake();
        return true;
      }
      if (!anyLeft) {
        return false;
      }
      if (first < Long.MAX_VALUE) {
        nanos = first;
      } else if (System.nanoTime() - waited > TimeUnit.MILLISECONDS.toNanos(STUCK_MILLIS)) {
        throw new IllegalStateException("threads wait for what none of them does");
      } else {
        Thread.sleep(1);
      }
    }
  }

  private synchronized List<Worker> left() {
    workers.removeIf(worker -> worker.ended);
    return List.copyOf(workers);
  }

  private List<Worker> settled() {
    List<Worker> all = left();
    for (Worker worker : all) {
      long began = System.nanoTime();
      while (!worker.isQuiet()) {
        Thread.onSpinWait();
        if (System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(STUCK_MILLIS)) {
          throw new IllegalStateException("a thread runs without an end");
        }
      }
    }
    return all;
  }

  /** All threads end at their next step, and nothing of theirs happens any more. */
  void kill() throws InterruptedException {
    dead = true;
    long began = System.nanoTime();
    // One may wait for another, so none is waited for alone.
    for (List<Worker> left = left(); !left.isEmpty(); left = left()) {
      for (Worker worker : left) {
        if (worker.parked) {
          worker.wake();
        } else {
          worker.interrupt();
        }
        worker.join(1);
      }
      if (System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(STUCK_MILLIS)) {
        throw new IllegalStateException("threads don't end when they are killed");
      }
    }
    dead = false;
  }

  @Override
  public void shutdown() {
    // It ends with its threads.
  }

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }
}
