// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command's own bounds hold, and docs/evidence/reach.md has its figures. */
@Tag("cluster")
class ReachCommandTest {

  private static final Map<String, String> ORDERS =
      Map.of(
          "HDFS's default", "nearest",
          "considerStorageType", "nearest_then_type",
          "FastestReplicaFirstTopology", "fastest",
          "the client's", "client");

  /** Of what a NameNode draws. */
  private static final double CHANCE = 0.02;

  @Test
  void thePageHasTheFigures() throws Exception {
    JsonNode report = report("--calls", "15");
    EvidencePage page = EvidencePage.of("reach.md");
    for (Map.Entry<String, String> order : ORDERS.entrySet()) {
      for (String readers : List.of("datanodes", "edge", "rack")) {
        List<String> cells = page.row(order.getKey(), readers);
        String name = order.getValue() + "_" + readers;
        EvidencePage.assertFigure(
            cells.get(0), 100 * report.path("predicted_" + name).asDouble(), name);
        assertEquals(
            number(cells.get(1)), 100 * report.path("measured_" + name).asDouble(), 1, name);
        EvidencePage.assertFigure(
            cells.get(2), 100 * report.path("claimed_" + name).asDouble(), name);
        double gain = number(cells.get(3));
        assertEquals(gain, report.path("near_gain_" + name).asDouble(), 3 * CHANCE * gain, name);
      }
    }
  }

  private static double number(String cell) {
    return Double.parseDouble(cell.replace(" %", ""));
  }

  /** What the command's last line has; it ends with 1 where a share is further off than it may be. */
  private static JsonNode report(String... arguments) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status;
    try {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      status = new CommandLine(new ReachCommand()).execute(arguments);
    } finally {
      System.setOut(before);
    }
    String[] lines = out.toString(StandardCharsets.UTF_8).split("\n");
    assertEquals(0, status, () -> String.join("\n", lines));
    return new ObjectMapper().readTree(lines[lines.length - 1]);
  }
}
