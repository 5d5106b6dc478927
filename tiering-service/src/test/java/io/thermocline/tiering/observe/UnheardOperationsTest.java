// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnheardOperationsTest {

  private static final String SILENCED = "listStatus";

  private final UnheardOperations unheard = new UnheardOperations();
  private long seconds;
  private long lines = 10;

  /** Of the last minute and of the last five, as a NameNode shows them. */
  private long minute = 100;

  private long fiveMinutes = 500;

  @Test
  void oneOperationWithoutALineTellsAfterFourSeconds() throws IOException {
    look(1, "open");
    look(1, "open");
    lines--;
    assertEquals(0, look(2, "open"), "it may be on its way");
    lines--;
    fiveMinutes++;
    assertEquals(0, look(2, "open"));
    lines--;
    assertEquals(0, look(2, "open"));
    lines--;
    assertEquals(1, look(2, "open"));
    assertEquals(0, look(2, "open"), "a line came");
  }

  /** Each look is two seconds after the last one, and finds a line more unless the test takes it away. */
  private long look(int after, String kind) throws IOException {
    seconds += after;
    lines++;
    RecentOperations now =
        RecentOperations.of(
            new ObjectMapper()
                .readTree(
                    """
                    {"windows": [
                      {"windowLenMs": 60000, "ops": [{"opType": "*", "totalCount": 9000},
                        {"opType": "%1$s", "topUsers": [], "totalCount": %2$d}]},
                      {"windowLenMs": 300000, "ops": [{"opType": "%1$s", "totalCount": %3$d}]}]}
                    """
                        .formatted(kind, minute, fiveMinutes)));
    return unheard.add(
        seconds * 1000,
        Map.of("nn1", now),
        new CompletenessMeter.Audited(
            new CompletenessMeter.Totals(Map.of(Operation.OPEN, lines, Operation.OTHER, lines)),
            lines,
            0));
  }

  @Test
  void whatLeavesAWindowHidesNothingThatEntersIt() throws IOException {
    look(2, "open");
    for (int i = 0; i < 4; i++) {
      lines--;
      minute--;
      fiveMinutes++;
      assertEquals(i < 2 ? 0 : i + 1, look(2, "open"));
    }
  }

  @Test
  void kindsWithoutLinesOfTheirOwnTellNothing() throws IOException {
    for (String kind : new String[] {SILENCED, "delete"}) {
      look(2, kind);
      for (int i = 0; i < 10; i++) {
        lines--;
        fiveMinutes++;
        assertEquals(0, look(2, kind));
      }
    }
  }

  @Test
  void waitsTwiceAsLongAsForTheLastBatchUpToAMinute() throws IOException {
    look(2, "open");
    quiet(10, 3);
    // The lines come twenty seconds after the first operation of theirs.
    assertEquals(0, look(2, "open"));
    quiet(25, 21);
    assertEquals(0, look(2, "open"));
    quiet(300, 31);
    assertEquals(0, look(2, "open"));
    quiet(40, 31);
  }

  /** So many looks without a line; nothing is told before so many of them. */
  private void quiet(int looks, int waits) throws IOException {
    for (int i = 1; i <= looks; i++) {
      lines--;
      fiveMinutes++;
      assertEquals(i < waits ? 0 : i, look(2, "open"), "look " + i);
    }
  }
}
