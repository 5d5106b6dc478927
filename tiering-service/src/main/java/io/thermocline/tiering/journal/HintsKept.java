// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which hints hold by a journal, which streams there are, and how often owners were right. Not thread-safe. */
final class HintsKept {

  private final Map<String, Journal.KeptHint> hints = new LinkedHashMap<>();
  private final Map<String, Journal.Judged> owners = new HashMap<>();
  private final Map<String, String> streams = new HashMap<>();

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.HintGiven given) {
      Journal.KeptHint before = hints.get(given.id());
      // Of a renamed file what was read stays.
      boolean isSame = before != null && before.given().text().equals(given.text());
      hints.put(given.id(), new Journal.KeptHint(given, isSame ? before.reads() : 0));
    } else if (entry instanceof JournalEntry.HintRead read) {
      hints.computeIfPresent(
          read.id(), (id, kept) -> new Journal.KeptHint(kept.given(), read.reads()));
    } else if (entry instanceof JournalEntry.HintEnded ended) {
      if (!ended.end().equals("REPLACED")) {
        hints.remove(ended.id());
      }
      judge(ended);
    } else if (entry instanceof JournalEntry.StreamSet set) {
      if (set.stream().isEmpty()) {
        streams.remove(set.path());
      } else {
        streams.put(set.path(), set.stream());
      }
    }
  }

  private void judge(JournalEntry.HintEnded ended) {
    long right = ended.verdict().equals("RIGHT") ? 1 : 0;
    long wrong = ended.verdict().equals("WRONG") ? 1 : 0;
    if (right + wrong > 0) {
      owners.merge(
          ended.owner(),
          new Journal.Judged(right, wrong),
          (a, b) -> new Journal.Judged(a.right() + b.right(), a.wrong() + b.wrong()));
    }
  }

  /** Whether an entry still counts. */
  boolean needs(JournalEntry entry) {
    if (entry instanceof JournalEntry.HintGiven given) {
      return hints.containsKey(given.id());
    }
    if (entry instanceof JournalEntry.HintRead read) {
      return hints.containsKey(read.id());
    }
    if (entry instanceof JournalEntry.HintEnded ended) {
      return !ended.verdict().isEmpty() || hints.containsKey(ended.id());
    }
    return entry instanceof JournalEntry.StreamSet;
  }

  List<Journal.KeptHint> hints() {
    return List.copyOf(hints.values());
  }

  Map<String, Journal.Judged> owners() {
    return Map.copyOf(owners);
  }

  Map<String, String> streams() {
    return Map.copyOf(streams);
  }
}
