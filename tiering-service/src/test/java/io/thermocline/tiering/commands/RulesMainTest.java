// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.process.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesMainTest {

  private static final String EXAMPLE =
      Path.of(System.getProperty("project.root"), "conf", "rules.yaml").toString();

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theExampleIsFine() {
    assertEquals(0, run("check", EXAMPLE), err::toString);
    assertEquals(EXAMPLE + ": fine: 5 rules, 3 caps", out.toString().trim());
  }

  @Test
  void mistakesAreALineEach() throws Exception {
    Path file = Files.writeString(directory.resolve("r"), "version: 2\nruls: []\n");
    assertEquals(2, run("check", file.toString()));
    assertEquals("", out.toString());
    assertEquals(2, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().contains(file + ":2:1: ruls is no key: did you mean rules?"));
  }

  @Test
  void whatIsMissingIsSaid() {
    assertEquals(2, run());
    assertEquals(2, run("check", EXAMPLE, "--against", "live"));
    assertTrue(err.toString().contains("--against live needs --config"), err::toString);
    assertEquals(1, run("check", EXAMPLE, "--against", directory.resolve("none").toString()));
  }

  private int run(String... arguments) {
    return CommandLines.of(new RulesMain())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
