// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.lang.ref.WeakReference;

/**
 * The daemon thread that keeps a policy's lines fresh.
 *
 * <p>Block placement policies have no end of life: a NameNode that is told to use another one drops
 * the old one and says nothing. So the thread holds what it refreshes weakly, and ends when the
 * policy has been collected.
 */
final class LineRefresher implements Runnable {
  private final WeakReference<ClusterLines> lines;
  private final PlacementCounters counters;
  private final RareLog log;
  private final Pause pause;
  private final long intervalMillis;

  private LineRefresher(ClusterLines lines, PolicyHost host, long intervalMillis) {
    this.lines = new WeakReference<>(lines);
    this.counters = host.counters();
    this.log = host.log();
    this.pause = host.pause();
    this.intervalMillis = intervalMillis;
  }

  static Thread start(ClusterLines lines, PolicyHost host, long intervalMillis) {
    Thread thread =
        new Thread(new LineRefresher(lines, host, intervalMillis), "thermocline-placement-lines");
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
    }
  }

  /** In a method of its own, so that no frame holds the lines during the pause. */
  private boolean refreshed() {
    ClusterLines target = lines.get();
    if (target == null) {
      return false;
    }
    try {
      target.refresh();
    } catch (RuntimeException | LinkageError e) {
      counters.count(PlacementCounters.Event.REFRESH_FAILED);
      log.warn(PlacementCounters.Event.REFRESH_FAILED, e);
    }
    return true;
  }
}
