// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was hinted lately, so that a file that is opened a thousand times is hinted once: again after half a lease,
 * to renew it. Safe for any thread; forgets the oldest.
 */
final class RecentHints {
  private static final int MOST = 10_000;

  private final Map<String, Long> until =
      new LinkedHashMap<String, Long>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST;
        }
      };

  /** Whether it is time for this one; then it is not for as long. */
  synchronized boolean isDue(String hint, long nowMillis, long leaseMillis) {
    Long due = until.get(hint);
    if (due != null && nowMillis < due) {
      return false;
    }
    until.remove(hint);
    until.put(hint, nowMillis + leaseMillis / 2);
    return true;
  }
}
