// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Whether somebody set a storage policy on a directory or above it, which no rule beats. HDFS is asked for it once in a
 * while for each directory, not for each file. Safe for any thread; forgets the oldest.
 */
final class PoliciesAbove {
  private static final int MOST = 10_000;

  private final Look look;
  private final long refreshMillis;
  private final LongSupplier clock;

  private final Map<String, Seen> seen =
      new LinkedHashMap<String, Seen>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > MOST;
        }
      };

  /** Asks HDFS what is at a path: null where nothing is. */
  @FunctionalInterface
  interface Look {
    HdfsFileStatus at(String path) throws IOException;
  }

  private static final class Seen {
    private final boolean isSet;
    private final long untilMillis;

    Seen(boolean isSet, long untilMillis) {
      this.isSet = isSet;
      this.untilMillis = untilMillis;
    }
  }

  PoliciesAbove(Look look, long refreshMillis, LongSupplier clock) {
    this.look = look;
    this.refreshMillis = refreshMillis;
    this.clock = clock;
  }

  boolean isSet(String directory) throws IOException {
    long now = clock.getAsLong();
    synchronized (seen) {
      Seen known = seen.get(directory);
      if (known != null && now < known.untilMillis) {
        return known.isSet;
      }
    }
    // Of a directory HDFS says the policy that it has from above, too.
    HdfsFileStatus status = look.at(directory);
    for (String above = directory; status == null && above.length() > 1; ) {
      above = above.substring(0, Math.max(1, above.lastIndexOf('/')));
      status = look.at(above);
    }
    boolean isSet =
        status != null
            && status.getStoragePolicy() != HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
    synchronized (seen) {
      seen.remove(directory);
      seen.put(directory, new Seen(isSet, now + refreshMillis));
    }
    return isSet;
  }
}
