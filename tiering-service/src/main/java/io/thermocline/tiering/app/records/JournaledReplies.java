// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.KeptReplies;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;

/** Answers by request id in the journal, so that they outlive the service, and go to the one that takes over. */
public final class JournaledReplies implements KeptReplies {

  private final Supplier<Journal> journal;
  private final Clock clock;

  /**
   * @param journal as it is open now
   */
  public JournaledReplies(Supplier<Journal> journal, Clock clock) {
    this.journal = journal;
    this.clock = clock;
  }

  @Override
  public Optional<Kept> of(String id) {
    return journal.get().answered(id, clock.instant()).map(JournaledReplies::kept);
  }

  private static Kept kept(JournalEntry.Answered before) {
    try {
      return new Kept(
          before.asked(),
          before.status(),
          Json.MAPPER.readTree(before.answer()),
          before.location());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("it was written as JSON", e);
    }
  }

  @Override
  public void keep(String id, Kept reply) throws IOException {
    journal
        .get()
        .append(
            new JournalEntry.Answered(
                clock.instant().toString(),
                id,
                reply.asked(),
                reply.status(),
                reply.value().toString(),
                reply.location()));
  }
}
