// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IdleWatchTest {

  private static final String YOUNG =
      "clients have been watched for less than 60 s (act.throttle.idle: 10)";

  private final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());
  private final long[] seconds = {1_000};
  private final IdleWatch idle =
      new IdleWatch(10, control, () -> TimeUnit.SECONDS.toNanos(seconds[0]));

  @Test
  void opensAndClosesByWhatClientsReadAndWriteInAMinute() {
    assertEquals(YOUNG, at(0, Map.of("a", reads(5_000, 0), "b", reads(70, 900))));
    assertEquals(YOUNG, at(30, Map.of("a", reads(5_000, 0), "b", reads(70, 900))));
    assertEquals(
        "", at(30, Map.of("a", reads(5_300, 0), "b", reads(70, 1_199))), "599 blocks in 60 s");
    assertEquals(
        "clients read and write 20.0 blocks a second over the last 60 s (act.throttle.idle: 10)",
        at(30, Map.of("a", reads(5_900, 0), "b", reads(71, 1_199))),
        "1,200 blocks since the second look");
    assertEquals(Set.of("load"), control.heldBy());
    assertEquals("", at(60, Map.of("a", reads(5_901, 0), "b", reads(71, 1_199))));
    assertTrue(control.mayBegin());
  }

  @Test
  void countsADataNodeAnewThatWasRestartedAndNotWhatANewOneHasCounted() {
    at(0, Map.of("a", reads(5_000, 0)));
    assertEquals("", at(60, Map.of("a", reads(599, 0), "b", reads(1_000_000, 0))));
    assertTrue(
        at(60, Map.of("a", reads(600, 0), "b", reads(1_000_599, 0))).startsWith("clients read"),
        "600 of both");
  }

  @Test
  void isBusyWhereItIsNotKnown() {
    at(0, Map.of("a", reads(1, 0)));
    assertEquals("", at(60, Map.of("a", reads(1, 0))));
    assertEquals(
        "no DataNode says what clients read and write (act.throttle.idle: 10)", at(60, Map.of()));
    assertEquals(YOUNG, at(60, Map.of("a", reads(1, 0))));
    assertEquals("", at(60, Map.of("a", reads(1, 0))));
  }

  private static ReadTimes.Reads reads(long reads, long writes) {
    return new ReadTimes.Reads(reads, 1, writes);
  }

  /** So many seconds later; returns why nothing may begin. */
  private String at(int later, Map<String, ReadTimes.Reads> reads) {
    seconds[0] += later;
    idle.look(
        new Surroundings(
            false,
            false,
            List.of(),
            new Surroundings.LowRedundancy(0, 0),
            List.of(),
            Map.of(),
            Set.of(),
            Map.of(),
            Double.NaN,
            reads));
    return control.reason();
  }
}
