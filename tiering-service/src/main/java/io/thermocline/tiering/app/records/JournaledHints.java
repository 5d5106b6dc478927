// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.hints.wire.HintFormatException;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintEnd;
import io.thermocline.tiering.hints.HintLog;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.OwnerReliability;
import io.thermocline.tiering.hints.Verdict;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of hints, in the journal. */
public final class JournaledHints implements HintLog {

  private static final Logger LOG = LoggerFactory.getLogger(JournaledHints.class);

  private final Appending journal;
  private final Clock clock;

  /** Where entries go. */
  public interface Appending {
    void append(JournalEntry entry) throws IOException;
  }

  public JournaledHints(Appending journal, Clock clock) {
    this.journal = journal;
    this.clock = clock;
  }

  /** Tells a registry what a journal has. */
  public static void tell(Journal journal, HintRegistry registry) {
    List<HintRegistry.Used> hints = new ArrayList<>();
    for (Journal.KeptHint kept : journal.hints()) {
      JournalEntry.HintGiven given = kept.given();
      try {
        hints.add(
            new HintRegistry.Used(
                new GivenHint(
                    HintWire.decode(given.text()),
                    given.inode(),
                    given.path(),
                    Instant.parse(given.at()).toEpochMilli(),
                    Instant.parse(given.since()).toEpochMilli()),
                kept.reads()));
      } catch (HintFormatException e) {
        LOG.warn(
            "journal: hint {} is of another version and left out: {}", given.id(), e.getMessage());
      }
    }
    Map<String, OwnerReliability> owners = new HashMap<>();
    journal
        .hintOwners()
        .forEach(
            (owner, judged) ->
                owners.put(owner, new OwnerReliability(judged.right(), judged.wrong())));
    registry.restore(hints, journal.streams(), owners);
  }

  @Override
  public void given(GivenHint hint) {
    append(
        new JournalEntry.HintGiven(
            Instant.ofEpochMilli(hint.givenMillis()).toString(),
            hint.id(),
            hint.inode(),
            hint.path(),
            HintWire.encode(hint.hint()),
            Instant.ofEpochMilli(hint.sinceMillis()).toString()));
  }

  @Override
  public void read(String id, long reads) {
    append(new JournalEntry.HintRead(now(), id, reads));
  }

  @Override
  public void ended(GivenHint hint, HintEnd end, Verdict verdict) {
    append(
        new JournalEntry.HintEnded(
            now(), hint.id(), hint.hint().owner(), end.name(), verdict.name()));
  }

  @Override
  public void tagged(String path, String stream) {
    append(new JournalEntry.StreamSet(now(), path, stream));
  }

  private String now() {
    return clock.instant().toString();
  }

  private void append(JournalEntry entry) {
    try {
      journal.append(entry);
    } catch (IOException e) {
      throw new UncheckedIOException("journal: " + e.getMessage(), e);
    }
  }
}
