// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Tokens;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws a token, which is shown this once. */
@Command(
    name = "token",
    description = {
      "Draws a bearer token and shows it, this once, with the line for the file that api.tokens names.",
      "The line holds a digest: nobody who reads the file can use it."
    })
final class TokenCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "who shows it; recorded with what they do")
  private String name;

  @Parameters(index = "1", paramLabel = "ROLE", description = "viewer, operator or administrator")
  private Role role;

  @Option(
      names = "--append",
      paramLabel = "FILE",
      description = "append the line to this file, and print the token alone")
  private Path file;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    if (!name.matches("[\\w.@/-]+")) {
      throw new CliException(
          CliException.USAGE,
          "NAME is '" + name + "': expected letters, digits and . _ - @ / without blanks");
    }
    String token = Tokens.draw(new SecureRandom());
    String line = Tokens.line(name, role, token);
    PrintWriter out = spec.commandLine().getOut();
    if (file != null) {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    if (json) {
      out.println(Json.MAPPER.createObjectNode().put("token", token).put("line", line));
    } else if (file == null) {
      out.println("token: " + token);
      out.println("line:  " + line);
    } else {
      out.println(token);
    }
    out.flush();
    return 0;
  }
}
