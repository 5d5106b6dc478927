// SPDX-License-Identifier: Apache-2.0
package io.thermocline.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The soak's short form: rotations and kills are as many as in half an hour, lines are fewer. */
@Tag("cluster")
class ObserveSoakTest {

  @Test
  void losesNothingAndCountsNothingTwice() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    int status;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      status =
          new CommandLine(new ObserveSoak())
              .execute(
                  "--minutes=0.5",
                  "--rate=20000",
                  "--rotate-seconds=2",
                  "--kill-seconds=4",
                  "--seed=3");
    } finally {
      System.setOut(before);
    }
    String text = bytes.toString(StandardCharsets.UTF_8).strip();
    JsonNode report = new ObjectMapper().readTree(text.substring(text.lastIndexOf('\n') + 1));
    assertEquals(0, status, text);
    assertEquals(0, report.get("events_lost").asLong(), text);
    assertEquals(0, report.get("events_counted_twice").asLong(), text);
    assertTrue(report.get("kills").asInt() >= 2 && report.get("rotations").asInt() >= 8, text);
    assertTrue(
        report.get("rotations_while_down_most").asInt() >= 3, "a compressed file is read: " + text);
  }
}
