// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.hints.Hint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the audit log said that hints' owners have set them, for those that aren't taken: a later look, at which nobody
 * saw anything, doesn't believe what an earlier one refused. In memory alone, of so many hints. Not thread-safe.
 */
final class HintSetters {

  private record Said(Hint hint, boolean isOwner) {}

  private final Map<String, Said> last;

  /**
   * @param most of more, what was said first is forgotten
   */
  HintSetters(int most) {
    last =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Said> eldest) {
            return size() > most;
          }
        };
  }

  /**
   * Whether its owner set a hint that stands somewhere; empty where the log never said.
   *
   * @param id of its place
   * @param users who set attributes there since the look before; that one of them isn't the owner says nothing of a hint
   *     that stood there already
   */
  Optional<Boolean> isOwner(String id, Hint hint, Set<String> users) {
    if (users.contains(hint.owner())) {
      last.put(id, new Said(hint, true));
      return Optional.of(true);
    }
    Said before = last.get(id);
    if (before != null && before.hint().equals(hint)) {
      return Optional.of(before.isOwner());
    }
    if (users.isEmpty()) {
      return Optional.empty();
    }
    last.put(id, new Said(hint, false));
    return Optional.of(false);
  }

  /** For a hint that is taken. */
  void forget(String id) {
    last.remove(id);
  }
}
