// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.lang.ref.WeakReference;

/**
 * The daemon thread that keeps a policy's lines, or what else is configured, fresh.
 *
 * <p>Block placement policies have no end of life: a NameNode that is told to use another one drops
 * the old one and says nothing. So the thread holds what it refreshes weakly, and ends when the
 * policy has been collected.
 */
final class LineRefresher implements Runnable {
  private final WeakReference<Refreshed> target;
  private final PlacementCounters counters;
  private final RareLog log;
  private final Pause pause;
  private final long intervalMillis;
  private final Runnable atEnd;

  private LineRefresher(Refreshed target, PolicyHost host, long intervalMillis, Runnable atEnd) {
    this.target = new WeakReference<>(target);
    this.counters = host.counters();
    this.log = host.log();
    this.pause = host.pause();
    this.intervalMillis = intervalMillis;
    this.atEnd = atEnd;
  }

  /**
   * Starts the thread.
   *
   * @param atEnd called by it before it ends; must not hold the target
   */
  static Thread start(Refreshed target, PolicyHost host, long intervalMillis, Runnable atEnd) {
    Thread thread =
        new Thread(
            new LineRefresher(target, host, intervalMillis, atEnd), "thermocline-placement-lines");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Override
  public void run() {
    try {
      while (refreshed()) {
        pause.await(intervalMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      atEnd.run();
    }
  }

  /** In a method of its own, so that no frame holds the target during the pause. */
  private boolean refreshed() {
    Refreshed still = target.get();
    if (still == null) {
      return false;
    }
    try {
      still.refresh();
    } catch (RuntimeException | Error e) {
      counters.count(PlacementCounters.Event.REFRESH_FAILED);
      log.warn(PlacementCounters.Event.REFRESH_FAILED, e);
    }
    return true;
  }
}
