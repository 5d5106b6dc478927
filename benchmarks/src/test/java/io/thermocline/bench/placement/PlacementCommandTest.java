// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PlacementCommandTest {
  @Tag("slow")
  @Test
  void thePageHasTheSharesThatAreCounted() throws IOException {
    PlacementCommand command = new PlacementCommand();
    new CommandLine(command).parseArgs("--quick");
    Map<String, Object> counted = command.countReplicas();

    assertEquals(9, counted.size(), counted.toString());
    String page = Files.readString(Path.of("..", "docs", "evidence", "placement.md"));
    counted.forEach(
        (name, figure) -> {
          String shown = "\"" + name + "\":" + figure + ",";
          assertTrue(page.contains(shown), "docs/evidence/placement.md doesn't say " + shown);
        });
  }
}
