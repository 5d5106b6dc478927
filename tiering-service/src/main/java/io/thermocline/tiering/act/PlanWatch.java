// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long nothing has happened of what is under way: no move changed its state, no DataNode said that it goes on, nothing
 * was recorded. While something holds all back, that is no silence. Thread-safe.
 */
public final class PlanWatch {

  /** From then on it is an obstacle, in words. */
  public static final Duration SHOWN_AFTER = Duration.ofSeconds(8);

  /** From then on the service isn't ready: a DataNode that copies says so each half a minute. */
  static final Duration STALLED_AFTER = Duration.ofMinutes(1);

  /** Empty while nothing is under way. */
  private String what = "";

  private String waitsFor = "";
  private LongSupplier nanos = () -> 0;
  private long last;
  private boolean isHeld;

  /** Until then the time of a hold isn't counted. */
  private long heldNanos;

  /**
   * Something is under way from now on.
   *
   * @param name for people
   * @param monotonic time
   */
  public synchronized void begin(String name, LongSupplier monotonic) {
    what = name;
    waitsFor = "";
    nanos = monotonic;
    last = monotonic.getAsLong();
    isHeld = false;
  }

  /** Nothing is under way any more. */
  public synchronized void end() {
    what = "";
  }

  /** Whether something is under way. */
  public synchronized boolean isWatching() {
    return !what.isEmpty();
  }

  /** Something of it happened. */
  public synchronized void progressed() {
    last = nanos.getAsLong();
    heldNanos = last;
  }

  /** Whether something holds all back from now on. The silence before it counts on afterwards. */
  synchronized void held(boolean is) {
    long now = nanos.getAsLong();
    if (isHeld) {
      last += now - heldNanos;
    }
    isHeld = is;
    heldNanos = now;
  }

  /** What it waits for, in words. */
  synchronized void waitsFor(String words) {
    waitsFor = words;
  }

  /** Since when nothing has happened, without holds; zero where nothing is under way, or something holds all back. */
  public synchronized Duration silence() {
    return what.isEmpty() || isHeld ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - last);
  }

  /** That nothing has happened for a while, in words; empty where something has. */
  synchronized String obstacle() {
    return obstacle(SHOWN_AFTER);
  }

  /** The same where it lasts. */
  public synchronized String stalled() {
    return obstacle(STALLED_AFTER);
  }

  private String obstacle(Duration after) {
    Duration silence = silence();
    return silence.compareTo(after) < 0
        ? ""
        : what
            + " has made no progress for "
            + silence.toSeconds()
            + " s"
            + (waitsFor.isEmpty() ? "" : ": it waits for " + waitsFor);
  }
}
