// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.hints.Operation;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.TakenBack;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;

/**
 * Files of which somebody took back what was done: they stay as they are until their heat is another, or somebody asks for
 * something else by a later hint or rule. One thread.
 */
final class TakenBackFiles {

  private static final List<Operation> ASKING =
      List.of(Operation.PREFETCH, Operation.MIGRATE, Operation.REPLICATE);

  private static final String UNKNOWN = "";

  private final Journal journal;
  private final ToDoubleFunction<String> heat;
  private final double factor;
  private Map<String, Hold> holds = Map.of();
  private List<JournalEntry> changes = List.of();

  TakenBackFiles(Journal journal, ToDoubleFunction<String> heat, double factor) {
    this.journal = journal;
    this.heat = heat;
    this.factor = factor;
  }

  /**
   * Looks at all of them, for one plan.
   *
   * @param isRuled whether a rule on the path came into force after a time
   * @param factors files whose replication factor HDFS shows changed, and the journal doesn't have yet as taken back
   */
  void look(
      HintsInForce hints, BiPredicate<String, Instant> isRuled, Set<String> factors, Instant now) {
    Map<String, Hold> held = new HashMap<>();
    Map<String, String> over = new LinkedHashMap<>();
    List<JournalEntry> found = new ArrayList<>();
    for (JournalEntry.TakenOver taken : takenBack(factors, now)) {
      String path = taken.path();
      double isNow = heat.applyAsDouble(path);
      JournalEntry.TakenOver known = taken;
      if (taken.heat() < 0) {
        known = new JournalEntry.TakenOver(taken.at(), path, taken.what(), taken.who(), isNow);
        found.add(known);
      }
      Instant at = Instant.parse(known.at());
      TakenBack back = new TakenBack(words(known), at, known.heat());
      if (back.isOver(isNow, factor)) {
        over.put(path, "its heat is %.1f, and was %.1f".formatted(isNow, known.heat()));
      } else if (isRuled.test(path, at) || isHinted(path, hints, at)) {
        over.put(path, "a later hint or rule asks for it");
      } else {
        held.put(path, back.hold(factor));
      }
    }
    // An entry ends all that was taken back at its path.
    over.keySet().removeAll(held.keySet());
    over.forEach((path, why) -> found.add(new JournalEntry.Released(now.toString(), path, why)));
    holds = held;
    changes = found;
  }

  /** All that was taken back, of which nobody may know yet by whom. */
  private List<JournalEntry.TakenOver> takenBack(Set<String> factors, Instant now) {
    Map<String, Instant> left = new HashMap<>(journal.leftFactors(now));
    factors.forEach(path -> left.putIfAbsent(path, now));
    List<JournalEntry.TakenOver> all = new ArrayList<>();
    left.forEach(
        (path, at) ->
            all.add(
                new JournalEntry.TakenOver(
                    at.toString(),
                    path,
                    JournalEntry.Taken.REPLICATION,
                    UNKNOWN,
                    heat.applyAsDouble(path))));
    all.addAll(journal.takenBack());
    return all;
  }

  private static boolean isHinted(String path, HintsInForce hints, Instant since) {
    return ASKING.stream()
        .anyMatch(
            operation ->
                hints
                    .of(path, operation)
                    .filter(hint -> hint.givenMillis() > since.toEpochMilli())
                    .isPresent());
  }

  private static String words(JournalEntry.TakenOver taken) {
    if (taken.who().equals(UNKNOWN)) {
      return "somebody set its replication factor before " + taken.at();
    }
    String what =
        switch (taken.what()) {
          case POLICY -> " set its storage policy at ";
          case NO_POLICY -> " unset its storage policy at ";
          case BROUGHT_IN -> " renamed it at ";
          case REPLICATION -> " set its replication factor at ";
          case UNDONE -> " took back a plan at ";
        };
    return taken.who() + what + taken.at();
  }

  /** What keeps a file; empty where nobody took anything back. */
  Optional<Hold> hold(String path) {
    return Optional.ofNullable(holds.get(path));
  }

  /** What the last look found, for the journal. */
  List<JournalEntry> changes() {
    return changes;
  }
}
