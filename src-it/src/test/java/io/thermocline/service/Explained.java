// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.commands.ExplainMain;
import io.thermocline.tiering.process.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** What {@code thermocline explain --config} says of files, without the service. */
final class Explained {

  private Explained() {}

  static String by(Path config, String... paths) {
    List<String> arguments = new ArrayList<>(List.of("--config", config.toString()));
    arguments.addAll(List.of(paths));
    StringWriter said = new StringWriter();
    CommandLine command = CommandLines.of(new ExplainMain());
    command.setOut(new PrintWriter(said, true));
    command.setErr(new PrintWriter(said, true));
    assertEquals(0, command.execute(arguments.toArray(String[]::new)), said::toString);
    return said.toString();
  }
}
