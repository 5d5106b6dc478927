// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How many hints and operations each owner has in force, and how many paths in streams; and how many they may have. */
final class HintRoom {

  private final HintSettings settings;
  private final Set<Operation> off;
  private final Map<String, Integer> hints = new HashMap<>();
  private final Map<String, Integer> operations = new HashMap<>();
  private final Map<String, Integer> tagged = new HashMap<>();

  /**
   * @param off operations of which nothing comes here: hints of these are advice
   */
  HintRoom(HintSettings settings, Set<Operation> off) {
    this.settings = settings;
    this.off = Set.copyOf(off);
  }

  /** Counts one that holds from now on. */
  void add(Hint hint) {
    count(hint, 1);
  }

  /** Counts one no more. */
  void remove(Hint hint) {
    count(hint, -1);
  }

  private void count(Hint hint, int by) {
    count(hints, hint.owner(), by);
    if (isOperation(hint)) {
      count(operations, hint.owner(), by);
    }
  }

  private static void count(Map<String, Integer> counts, String owner, int by) {
    counts.merge(owner, by, (before, more) -> before + more == 0 ? null : before + more);
  }

  private boolean isOperation(Hint hint) {
    return Hints.isOperation(hint) && !off.contains(hint.operation());
  }

  /** Counts a path that belongs to one of an owner's streams, or with -1 no longer does. */
  void tagged(String owner, int by) {
    count(tagged, owner, by);
  }

  /** As {@link HintRegistry#tag}, of an owner who gets one more. */
  Optional<HintRegistry.Full> fullOfTags(String owner) {
    return tagged.getOrDefault(owner, 0) < settings.maxPerOwner()
        ? Optional.empty()
        : Optional.of(
            HintRegistry.Full.of(
                owner + " has " + settings.maxPerOwner() + " paths in streams",
                "hints.maxPerOwner"));
  }

  /** Who has any. */
  Set<String> owners() {
    return hints.keySet();
  }

  int hintsOf(String owner) {
    return hints.getOrDefault(owner, 0);
  }

  int operationsOf(String owner) {
    return operations.getOrDefault(owner, 0);
  }

  /** Whether the owner may have one more. */
  boolean has(String owner) {
    return hintsOf(owner) < settings.maxPerOwner();
  }

  /**
   * As {@link HintRegistry#full}.
   *
   * @param before what it takes the place of
   */
  Optional<HintRegistry.Full> full(GivenHint next, Optional<Hint> before) {
    String owner = next.hint().owner();
    Optional<Hint> replaced = before.filter(hint -> hint.owner().equals(owner));
    if (replaced.isEmpty() && !has(owner)) {
      return Optional.of(
          HintRegistry.Full.of(
              owner + " has " + settings.maxPerOwner() + " hints", "hints.maxPerOwner"));
    }
    if (isOperation(next.hint())
        && !next.isOwn()
        && replaced.filter(this::isOperation).isEmpty()
        && operationsOf(owner) >= settings.operationsPerOwner()) {
      return Optional.of(
          HintRegistry.Full.of(
              owner + " has " + settings.operationsPerOwner() + " operations in force",
              "hints.operationsPerOwner"));
    }
    return Optional.empty();
  }
}
