// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.app.records.JournaledHints;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintEnd;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.hints.QueueLength;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.SeenAccess;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;

/** With a registry, and without HDFS: everybody may do what is in their own name. */
public final class RegistryHintService implements HintService {

  private static final long DAY = 86_400_000;

  private final HintRegistry registry;

  /** Milliseconds since 1970. */
  public long now;

  public RegistryHintService(Journal journal) {
    this.registry =
        new HintRegistry(
            HintSettings.DEFAULT,
            SeenAccess.NAMESERVICE,
            new JournaledHints(journal::append, Clock.systemUTC()));
  }

  /** A hint that something is cold, for a day. */
  public String give(String path, String who) {
    GivenHint given =
        given(
            Hint.onFile(Operation.ADVISE, path)
                .temperature(Temperature.COLD)
                .owner(who)
                .leaseExpiryMillis(now + DAY)
                .build());
    registry.give(given, now);
    return given.id();
  }

  private GivenHint given(Hint hint) {
    return hint.scope() == Scope.STREAM
        ? GivenHint.onStream(hint, now)
        : new GivenHint(hint, hint.target().hashCode(), hint.target(), now);
  }

  @Override
  public HintRegistry registry() {
    return registry;
  }

  @Override
  public List<Refused> refused(String owner) {
    return List.of();
  }

  @Override
  public long nowMillis() {
    return now;
  }

  @Override
  public QueueLength.Now queue() {
    return new QueueLength(0).now();
  }

  @Override
  public Visit visit(Caller caller) {
    return new Visit() {
      @Override
      public GivenHint check(Hint hint) {
        assertEquals(caller.name(), hint.owner());
        return given(hint);
      }

      @Override
      public OptionalLong take(GivenHint checked) {
        registry.give(checked, now);
        return OptionalLong.of(7);
      }

      @Override
      public void remove(GivenHint hint) {
        assertEquals(caller.name(), hint.hint().owner());
        registry.end(hint.id(), HintEnd.REMOVED, now);
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
