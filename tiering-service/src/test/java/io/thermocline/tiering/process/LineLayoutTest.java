// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiClient;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Localhost;
import io.thermocline.tiering.app.ApiParts;
import io.thermocline.tiering.config.ServiceConfig;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes from outside stays on its line of the log. */
class LineLayoutTest {

  private static final Logger LOGGER = Logger.getLogger("io.thermocline");

  @TempDir private Path temp;

  private final StringWriter out = new StringWriter();
  private WriterAppender appender;
  private Level before;

  @BeforeEach
  void listen() {
    PatternLayout layout = new LineLayout();
    layout.setConversionPattern("%p %c{1}: %m%n");
    appender = new WriterAppender(layout, out);
    before = LOGGER.getLevel();
    LOGGER.setLevel(Level.INFO);
    LOGGER.addAppender(appender);
  }

  @AfterEach
  void leave() {
    LOGGER.removeAppender(appender);
    LOGGER.setLevel(before);
  }

  @Test
  void aMessageIsOneLineAndItsErrorIsIndented() {
    LOGGER.warn("moved /w/a\nINFO all is well\u001b[2J", new IOException("gone\nERROR fake"));
    List<String> lines = out.toString().lines().toList();
    assertEquals("WARN thermocline: moved /w/a\\nINFO all is well\\u001b[2J", lines.get(0));
    assertEquals("    java.io.IOException: gone", lines.get(1));
    assertEquals("    ERROR fake", lines.get(2));
    assertTrue(lines.stream().skip(1).allMatch(line -> line.startsWith("    ")), out::toString);
    LOGGER.info(null);
    assertTrue(out.toString().endsWith("INFO thermocline: null\n"), out::toString);
  }

  @Test
  void aReasonCantForgeALineOfTheLog() throws Exception {
    try (ApiParts parts =
            new ApiParts(
                temp, ServiceConfig.Mode.APPLY, ServiceConfig.Approval.ONE, Clock.systemUTC());
        ApiServer server =
            ApiServer.start(
                new ApiServer.Listen("127.0.0.1", 0, null),
                new ApiServer.Parts(parts.resources(), List.of(), new Localhost(), Activity.HERE),
                Thread::new)) {
      ApiClient client = new ApiClient(server.address());
      String why = "x\\nINFO Endpoint: POST /api/v1/plans/1/approve by root";
      ApiClient.Answer answer =
          client.post("/control/pause", "{\"dryRun\":false,\"why\":\"" + why + "\"}");
      assertEquals(200, answer.status(), answer.body()::toString);
      assertTrue(client.text("/control").contains("x\\nINFO Endpoint"), client.text("/control"));
    }
    List<String> lines = out.toString().lines().filter(line -> line.contains("root")).toList();
    assertEquals(1, lines.size(), out::toString);
    assertTrue(
        lines.get(0).startsWith("INFO Endpoint: POST /api/v1/control/pause by"), lines.get(0));
  }
}
