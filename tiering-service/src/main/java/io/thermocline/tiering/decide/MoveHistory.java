// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which paths were moved up or down of late, and so which moves are to wait. The caller tells it what was begun, in
 * order of time. Not thread-safe.
 */
public final class MoveHistory {

  /*
   * Only moves against the direction of the last one are held: what was begun goes on, so that a large file
   * can come up over several plans. A path that has turned round as often as it may keeps its direction until
   * the oldest turn is out of the window. A turn is counted when it is begun, so no path ever exceeds the limit.
   */

  private final Stability stability;
  private final Map<String, Past> paths = new HashMap<>();

  private static final class Past {
    private boolean up;
    private Instant last;

    /** Turns of the window, oldest first. */
    private final List<Instant> turns = new ArrayList<>();
  }

  public MoveHistory(Stability stability) {
    this.stability = stability;
  }

  /** Notes that moves of a path were begun. */
  public void moved(String path, Decision.Cause cause, Instant at) {
    Past past = paths.get(path);
    if (past == null) {
      past = new Past();
      paths.put(path, past);
    } else if (past.up != cause.isUp()) {
      past.turns.add(at);
    }
    past.up = cause.isUp();
    past.last = at;
  }

  /** Forgets what no longer matters. */
  public void forgetBefore(Instant now) {
    Instant horizon = now.minus(stability.window());
    paths.values().removeIf(past -> past.last.isBefore(horizon));
  }

  /** Turns of a path that are in the window. */
  public int flaps(String path, Instant now) {
    Past past = paths.get(path);
    if (past == null) {
      return 0;
    }
    Instant horizon = now.minus(stability.window());
    return (int) past.turns.stream().filter(turn -> turn.isAfter(horizon)).count();
  }

  /** Paths that are remembered. */
  public int size() {
    return paths.size();
  }

  /** Which moves of a path are to wait. */
  public Hold hold(String path, Instant now) {
    Past past = paths.get(path);
    if (past == null) {
      return Hold.NONE;
    }
    String way = past.up ? "up" : "down";
    String back = past.up ? "down" : "up";
    Instant free = past.last.plus(stability.residency());
    if (now.isBefore(free)) {
      return new Hold(
          past.up,
          !past.up,
          "a move " + way + " began at " + past.last + ", so none " + back + " before " + free);
    }
    int flaps = flaps(path, now);
    if (flaps >= stability.flaps()) {
      return new Hold(
          past.up,
          !past.up,
          "turned round "
              + flaps
              + " times in "
              + stability.window()
              + ", the last time "
              + way
              + ", and keeps to that");
    }
    return Hold.NONE;
  }
}
