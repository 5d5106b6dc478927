// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Tokens;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;

  @Test
  void appendsLinesThatTheServiceTakes() throws Exception {
    Path file = directory.resolve("tokens");
    assertEquals(0, run("token", "ops", "operator", "--append", file.toString()));
    String first = out.toString().strip();
    out.getBuffer().setLength(0);
    assertEquals(0, run("token", "ann@EXAMPLE.ORG", "Viewer", "--append", file.toString()));

    Tokens tokens = Tokens.read(file);
    assertEquals(Optional.of(new Caller("ops", Role.OPERATOR)), tokens.of(first));
    assertEquals(
        Optional.of(new Caller("ann@EXAMPLE.ORG", Role.VIEWER)), tokens.of(out.toString().strip()));
  }

  @Test
  void refusesANameThatWouldBeTwoWords() {
    assertEquals(2, run("token", "ann smith", "viewer"));
    assertTrue(err.toString().contains("'ann smith'"), err::toString);
  }

  private int run(String... words) {
    return CliMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words);
  }
}
