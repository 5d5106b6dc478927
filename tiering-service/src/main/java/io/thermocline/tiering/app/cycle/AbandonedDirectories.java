// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.tiering.cluster.NamespaceView;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories with a policy of ours of which no file is managed any more: all are gone, or somebody has the service ignore
 * them. A look costs a listing, so there are few with one plan, and another one of the same path is made later. One thread.
 */
final class AbandonedDirectories {

  private static final Logger LOG = LoggerFactory.getLogger(AbandonedDirectories.class);
  private static final int MOST_LOOKS = 100;
  private static final Duration AGAIN = Duration.ofMinutes(10);

  private final NamespaceView reader;

  /** Those where the policy is needed, with when that was seen. */
  private final Map<String, Instant> needed = new HashMap<>();

  private Instant now = Instant.EPOCH;
  private int looks;

  AbandonedDirectories(NamespaceView reader) {
    this.reader = reader;
  }

  /** For the next plan. */
  void begin(Instant at) {
    now = at;
    looks = 0;
    needed.values().removeIf(seen -> seen.plus(AGAIN).isBefore(at));
  }

  /** Whether HDFS shows that no file below it lies where the policy has it. */
  boolean isNeedless(String path, String policy) {
    if (needed.containsKey(path) || looks == MOST_LOOKS) {
      return false;
    }
    looks++;
    try {
      if (!reader.has(path, file -> NeedlessPolicies.lies(file, policy))) {
        return true;
      }
    } catch (IOException e) {
      LOG.debug("{} keeps its storage policy", path, e);
    }
    needed.put(path, now);
    return false;
  }
}
