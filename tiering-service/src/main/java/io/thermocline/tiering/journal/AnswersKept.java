// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The last answers by request id, the oldest forgotten first. Not thread-safe. */
final class AnswersKept {

  /** For which the same request isn't done again. */
  private static final Duration KEPT = Duration.ofHours(24);

  private static final int MOST = 1000;
  private static final long MOST_CHARACTERS = 16L << 20;

  private final Map<String, JournalEntry.Answered> answers = new LinkedHashMap<>();
  private long characters;

  void remember(JournalEntry entry) {
    if (!(entry instanceof JournalEntry.Answered answered)) {
      return;
    }
    forget(answers.remove(answered.id()));
    answers.put(answered.id(), answered);
    characters += answered.answer().length();
    Iterator<JournalEntry.Answered> oldest = answers.values().iterator();
    while (answers.size() > MOST || (characters > MOST_CHARACTERS && answers.size() > 1)) {
      forget(oldest.next());
      oldest.remove();
    }
  }

  private void forget(JournalEntry.Answered gone) {
    characters -= gone == null ? 0 : gone.answer().length();
  }

  Optional<JournalEntry.Answered> of(String id, Instant now) {
    return Optional.ofNullable(answers.get(id)).filter(answered -> isYoung(answered, now));
  }

  /** Whether an entry still counts. */
  boolean needs(JournalEntry.Answered entry, Instant now) {
    return entry.equals(answers.get(entry.id())) && isYoung(entry, now);
  }

  private static boolean isYoung(JournalEntry.Answered entry, Instant now) {
    return Instant.parse(entry.at()).plus(KEPT).isAfter(now);
  }
}
