// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The storage policies that files were created with, until they are committed: by then the same rule may choose another
 * one. Safe for any thread; forgets the oldest.
 */
final class StagedPolicies {
  private static final int MOST = 10_000;

  /** By path; null for none. */
  private final Map<String, String> policies =
      new LinkedHashMap<String, String>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST;
        }
      };

  synchronized void created(String path, String policy) {
    policies.remove(path);
    policies.put(path, policy);
  }

  /** Follows a file, or all below a directory, to another name. */
  synchronized void renamed(String from, String to) {
    List<String> moved = new ArrayList<>();
    for (String path : policies.keySet()) {
      if (path.equals(from) || path.startsWith(from + "/")) {
        moved.add(path);
      }
    }
    for (String path : moved) {
      policies.put(to + path.substring(from.length()), policies.remove(path));
    }
  }

  /** What a file was created with, and forgets it; null for none, and where it isn't known. */
  synchronized String committed(String path) {
    return policies.remove(path);
  }
}
