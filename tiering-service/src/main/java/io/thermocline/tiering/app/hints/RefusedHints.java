// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.observe.Paths;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Why hints that stand on paths weren't taken, as far as is known: of each owner, the paths found last. Thread-safe.
 */
final class RefusedHints {

  /** Paths of one owner. */
  static final int MOST = 1_000;

  /** Paths of all owners; more aren't noted. */
  static final int MOST_IN_ALL = 100_000;

  /** By owner and path; those found first first. */
  private final Map<String, Map<String, List<HintService.Refused>>> byOwner = new HashMap<>();

  /** Owners by path: each file that is made or deleted is looked for here. */
  private final NavigableMap<String, Set<String>> owners = new TreeMap<>();

  /** Takes all that was found at a path, in place of what was found there before. */
  synchronized void found(String path, List<HintService.Refused> found) {
    forget(path);
    if (found.isEmpty() || owners.size() >= MOST_IN_ALL) {
      return;
    }
    Map<String, List<HintService.Refused>> news =
        found.stream().collect(Collectors.groupingBy(HintService.Refused::owner));
    owners.put(path, new HashSet<>(news.keySet()));
    news.forEach(
        (owner, refused) -> {
          var paths = byOwner.computeIfAbsent(owner, first -> new LinkedHashMap<>());
          paths.put(path, refused);
          if (paths.size() > MOST) {
            forgetFirst(owner, paths);
          }
        });
  }

  private void forgetFirst(String owner, Map<String, List<HintService.Refused>> paths) {
    String first = paths.keySet().iterator().next();
    paths.remove(first);
    owners.computeIfPresent(first, (path, of) -> of.remove(owner) && of.isEmpty() ? null : of);
  }

  /** Forgets what was found at a path and below it. */
  synchronized void gone(String path) {
    Paths.atOrBelow(owners, path).forEach(this::forget);
  }

  private void forget(String path) {
    Set<String> of = owners.remove(path);
    if (of != null) {
      of.forEach(
          owner ->
              byOwner.computeIfPresent(
                  owner,
                  (name, paths) -> {
                    paths.remove(path);
                    return paths.isEmpty() ? null : paths;
                  }));
    }
  }

  synchronized List<HintService.Refused> of(String owner) {
    return byOwner.getOrDefault(owner, Map.of()).values().stream().flatMap(List::stream).toList();
  }
}
