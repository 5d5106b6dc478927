// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.PlainText;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which service to ask, and how to show its answers. */
final class ServiceOptions {

  /** What a header can carry as one; RFC 6750. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

  static final String DEFAULT = "http://127.0.0.1:8480";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--service",
      paramLabel = "URL",
      split = ",",
      defaultValue = "${env:THERMOCLINE_SERVICE:-" + DEFAULT + "}",
      description =
          "where it is: api.listen; of several, with commas between, the first that answers (default:"
              + " THERMOCLINE_SERVICE, else "
              + DEFAULT
              + ")")
  private List<URI> services;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "its first line is the bearer token to send (default: THERMOCLINE_TOKEN)")
  private Path tokenFile;

  @Option(names = "--json", description = "print what the service answers as JSON")
  private boolean json;

  ServiceClient client() throws CliException {
    for (URI service : services) {
      if (service.getHost() == null) {
        throw new CliException(
            CliException.USAGE, "--service is '" + service + "': expected a URL like " + DEFAULT);
      }
    }
    return new ServiceClient(services, System.getProperty("user.name"), token());
  }

  /** Null where there is none. */
  private String token() throws CliException {
    if (tokenFile == null) {
      return System.getenv("THERMOCLINE_TOKEN");
    }
    String token;
    try {
      token = RegularFiles.text(tokenFile).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      throw new CliException(
          CliException.USAGE,
          "--token-file: "
              + tokenFile
              + " can't be read ("
              + why(e)
              + "): give a text file that this user may read");
    }
    if (!TOKEN.matcher(token).matches()) {
      throw new CliException(
          CliException.USAGE,
          "--token-file: the first line of "
              + tokenFile
              + (token.isEmpty() ? " is empty" : " is no token")
              + ": write the token there that 'thermocline token' printed");
    }
    return token;
  }

  private static String why(IOException e) {
    return e instanceof FileSystemException failure && failure.getReason() != null
        ? failure.getReason()
        : e.getClass().getSimpleName();
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Colours only where a terminal is. */
  void print(JsonNode answer) {
    out().print(json ? answer.toPrettyString() + "\n" : PlainText.of(answer, Ansi.AUTO));
    out().flush();
  }

  /** Two answers that belong together: one object of both as JSON, one after the other as text. */
  void print(String name, JsonNode answer, String second, JsonNode more) {
    if (json) {
      ObjectNode both = Json.MAPPER.createObjectNode();
      both.set(name, answer);
      both.set(second, more);
      print(both);
    } else {
      print(answer);
      out().println();
      print(more);
    }
  }

  /** Has a program of this host do it, with this command's output. */
  int here(Object program, List<String> arguments) {
    return CommandLines.of(program)
        .setOut(out())
        .setErr(progress())
        .execute(arguments.toArray(String[]::new));
  }

  boolean isJson() {
    return json;
  }

  /** Where people watch, who want to see how far it is; errors and progress go there. */
  PrintWriter progress() {
    return spec.commandLine().getErr();
  }

  boolean isWatched() {
    return !json && System.console() != null;
  }
}
