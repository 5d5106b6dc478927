// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.Map;

/**
 * Operations that NameNodes logged while no line of theirs came: so few that nothing else tells of them. Not thread-safe.
 *
 * <p>An operation counts where lines of its kind came before, since an administrator may have silenced others
 * (dfs.namenode.audit.log.debug.cmdlist). Lines that come in batches are waited for twice as long as the last ones, within a
 * minute.
 */
final class UnheardOperations {

  static final long PATIENCE_MILLIS = 4_000;

  private static final long MAX_PATIENCE_MILLIS = 60_000;

  /** So much less for each look that finds lines which it didn't wait for. */
  private static final long LESS_PATIENCE_MILLIS = 1_000;

  private Map<?, RecentOperations> before = Map.of();
  private long lines = -1;
  private long patienceMillis = PATIENCE_MILLIS;
  private long unheard;
  private long sinceMillis;

  /** Forgets what was counted: other NameNodes count from now on. */
  void restart() {
    before = Map.of();
    unheard = 0;
  }

  /**
   * Takes what was read, and what NameNodes count just after it was read.
   *
   * @param now by NameNode
   * @return operations whose lines should have come by now; 0: none
   */
  long add(long millis, Map<?, RecentOperations> now, CompletenessMeter.Audited audited) {
    if (audited.lines() != lines) {
      long wanted =
          unheard > 0 ? 2 * (millis - sinceMillis) : patienceMillis - LESS_PATIENCE_MILLIS;
      patienceMillis = Math.max(PATIENCE_MILLIS, Math.min(MAX_PATIENCE_MILLIS, wanted));
      lines = audited.lines();
      unheard = 0;
    } else {
      long more = 0;
      for (Map.Entry<?, RecentOperations> each : now.entrySet()) {
        RecentOperations earlier = before.get(each.getKey());
        if (earlier != null) {
          more +=
              each.getValue()
                  .since(earlier, kind -> kind != Operation.OTHER && audited.of(kind) > 0);
        }
      }
      if (unheard == 0) {
        sinceMillis = millis;
      }
      unheard += more;
    }
    before = now;
    return unheard > 0 && millis - sinceMillis >= patienceMillis ? unheard : 0;
  }
}
