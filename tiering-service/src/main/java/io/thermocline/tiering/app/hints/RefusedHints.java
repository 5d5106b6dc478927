// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.tiering.api.HintDesk;
import io.thermocline.tiering.observe.Paths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Why hints that stand on paths weren't taken, as far as is known: of each owner, the paths found last. Thread-safe.
 */
final class RefusedHints {

  /** Paths of one owner. */
  static final int MOST = 1_000;

  /** By owner and path; those found first first. */
  private final Map<String, Map<String, List<HintDesk.Refused>>> byOwner = new TreeMap<>();

  /** Takes all that was found at a path, in place of what was found there before. */
  synchronized void found(String path, List<HintDesk.Refused> found) {
    byOwner.values().forEach(paths -> paths.remove(path));
    found.stream()
        .collect(Collectors.groupingBy(HintDesk.Refused::owner))
        .forEach(
            (owner, refused) -> {
              var paths = byOwner.computeIfAbsent(owner, first -> new LinkedHashMap<>());
              paths.put(path, refused);
              if (paths.size() > MOST) {
                paths.remove(paths.keySet().iterator().next());
              }
            });
    byOwner.values().removeIf(Map::isEmpty);
  }

  /** Forgets what was found at a path and below it. */
  synchronized void gone(String path) {
    byOwner.values().forEach(paths -> paths.keySet().removeIf(at -> Paths.isAtOrBelow(at, path)));
    byOwner.values().removeIf(Map::isEmpty);
  }

  synchronized List<HintDesk.Refused> of(String owner) {
    return byOwner.getOrDefault(owner, Map.of()).values().stream().flatMap(List::stream).toList();
  }
}
