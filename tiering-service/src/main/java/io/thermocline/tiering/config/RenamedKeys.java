// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.util.HashMap;
import java.util.Map;

/** What replaced keys of earlier versions, in thermocline.yaml, mover.yaml, chew.yaml and rules files. */
final class RenamedKeys {

  private static final Map<String, String> NOW = new HashMap<>();

  static {
    NOW.put("observe.leastCompleteness", "observe.minCompleteness");
    NOW.put("decide.worth", "decide.admission");
    NOW.put("decide.levers", "decide.actions, with maxBytes or max instead of most");
    NOW.put("decide.caps[].most", "decide.caps[].max");
    NOW.put("act.copies", "act.maxConcurrentCopies");
    NOW.put("act.copiesPerNode", "act.maxConcurrentCopiesPerNode");
    NOW.put("act.leastCopies", "act.maxConcurrentCopiesPerNode, with which each DataNode begins");
    NOW.put("act.yield", "act.throttle, with waitFor instead of to");
    NOW.put("hints.take", "hints.enabled");
    NOW.put("hints.prefetch.most", "hints.prefetch.maxBytes");
    NOW.put("api.rates", "api.rateLimits, with anonymous instead of stranger");
    NOW.put("allow.cache.most", "allow.cache.maxBytes");
    NOW.put("allow.replication.least", "allow.replication.min");
    NOW.put("allow.replication.most", "allow.replication.max");
    NOW.put("caps[].most", "caps[].max");
    NOW.put("chunks.leastPart", "chunks.minPart");
  }

  private RenamedKeys() {}

  /**
   * What is wrong with a key that was renamed, or null for any other.
   *
   * @param key with the sections above it; a list's number like caps[2]
   */
  static String now(String key) {
    String now = NOW.get(key.replaceAll("\\[\\d+]", "[]"));
    return now == null ? null : "was renamed: use " + now;
  }
}
