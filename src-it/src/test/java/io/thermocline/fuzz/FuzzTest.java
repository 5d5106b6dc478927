// SPDX-License-Identifier: Apache-2.0
package io.thermocline.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code bin/thermocline fuzz}, for a quarter of a minute. */
class FuzzTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();

  private static final Path WORK = ROOT.resolve("target").resolve("fuzz");

  @Test
  @Tag("cluster")
  void theServiceAnswersWhatItsDocumentAllowsAndRefusesTheRest() throws Exception {
    try {
      Schemathesis.in(WORK);
    } catch (IOException e) {
      Assumptions.abort(e.getMessage());
    }
    StringWriter out = new StringWriter();
    CommandLine line = CommandLines.of(new FuzzMain()).setOut(new PrintWriter(out, true));

    int status =
        line.execute(
            "--minutes", "0.25",
            "--directory", WORK.toString(),
            "--conf", ROOT.resolve("conf").toString());

    String said = Files.readString(WORK.resolve("schemathesis.txt"));
    JsonNode report = new ObjectMapper().readTree(out.toString());
    long operations = report.get("operations").asLong();
    assertEquals(operations, report.get("operations_tested").asLong(), said);
    assertTrue(report.get("cases").asLong() > operations, said);
    assertEquals(0, report.get("server_errors").asLong(), said);
    assertEquals(0, report.get("hangs").asLong(), said);
    assertEquals(0, report.get("failures").asLong(), said);
    assertTrue(report.get("reads").asLong() > 0, "others read meanwhile");
    assertEquals(0, report.get("failed_reads").asLong());
    assertEquals(0, status);
  }

  @Test
  void readsWhatTheToolReports() throws Exception {
    JsonNode report =
        new ObjectMapper()
            .readTree(
                """
                {"operations": {"total": 9, "tested": 8}, "test_cases": {"generated": 38},
                 "failures": [{"type": "ServerError", "count": 3}, {"type": "AcceptedNegativeData", "count": 1},
                              {"type": "ResponseTimeExceeded", "count": 2}],
                 "errors": [{"title": "Network Error", "count": 1}]}
                """);
    assertEquals(new Schemathesis.Findings(9, 8, 38, 3, 3, 6), Schemathesis.findings(report));
  }
}
