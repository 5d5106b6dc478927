// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MoveHistoryTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  private final MoveHistory history = new MoveHistory(new Stability(Duration.ofHours(1), 1, DAY));

  @Test
  void whatMovedGoesOnAndDoesNotTurnRound() {
    history.moved("/up", Decision.Cause.PROMOTED, NOW);
    history.moved("/down", Decision.Cause.DEMOTED, NOW);

    assertEquals(
        new Hold(
            true,
            false,
            "a move up began at 2026-03-01T12:00:00Z, so none down before 2026-03-01T13:00:00Z"),
        history.hold("/up", NOW.plusSeconds(3599)));
    assertEquals(
        new Hold(
            false,
            true,
            "a move down began at 2026-03-01T12:00:00Z, so none up before 2026-03-01T13:00:00Z"),
        history.hold("/down", NOW));
    assertEquals(Hold.NONE, history.hold("/up", NOW.plusSeconds(3600)));
    assertEquals(Hold.NONE, history.hold("/other", NOW));
  }

  @Test
  void whatTurnedRoundAsOftenAsItMayKeepsItsWay() {
    history.moved("/f", Decision.Cause.PROMOTED, NOW);
    Instant turn = NOW.plus(Duration.ofHours(2));
    history.moved("/f", Decision.Cause.DEMOTED, turn);

    String words = "turned round 1 times in PT24H, the last time down, and keeps to that";
    assertEquals(new Hold(false, true, words), history.hold("/f", turn.plus(DAY).minusMillis(1)));
    assertEquals(Hold.NONE, history.hold("/f", turn.plus(DAY)));
  }

  @Test
  void forgetsWhatIsOutOfTheWindow() {
    history.moved("/f", Decision.Cause.PROMOTED, NOW);
    assertEquals(1, history.size());
    history.forgetBefore(NOW.plus(DAY));
    assertEquals(1, history.size());
    history.forgetBefore(NOW.plus(DAY).plusMillis(1));
    assertEquals(0, history.size());
  }
}
