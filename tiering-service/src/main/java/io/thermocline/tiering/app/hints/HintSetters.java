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
   * Whether its owner set a hint that stands somewhere; empty where the log never said. What was said of a hint holds as
   * long as the same stands there: the log doesn't say which attribute was set, so an owner who set another one beside it
   * hasn't set this one.
   *
   * @param id of its place
   * @param users who set attributes there since the look before
   */
  Optional<Boolean> isOwner(String id, Hint hint, Set<String> users) {
    Said before = last.get(id);
    if (before != null && before.hint().equals(hint)) {
      return Optional.of(before.isOwner());
    }
    if (users.isEmpty()) {
      return Optional.empty();
    }
    boolean isOwner = users.contains(hint.owner());
    last.put(id, new Said(hint, isOwner));
    return Optional.of(isOwner);
  }

  /** For a hint that is taken, or is no longer there. */
  void forget(String id) {
    last.remove(id);
  }
}
