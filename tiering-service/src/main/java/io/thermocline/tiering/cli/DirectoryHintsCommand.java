// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.placement.model.DirectoryHints;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.attributes.ReplacedFile;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Brings hints on directories to a NameNode's placement policy. */
@Command(
    name = "directory-hints",
    description = {
      "Lists the hints on directories that NameNodes are to place new files by, and why not by the others. With --out, writes"
          + " them to the file that thermocline.placement.directory-hints names: run it on each NameNode's host.",
      "",
      "The file is replaced as a whole, and counts for ten minutes: with --every it is written anew as long as the service"
          + " answers. Where the service doesn't, the file stays as it is, that is said, and it is asked again."
    })
final class DirectoryHintsCommand implements Callable<Integer> {

  /** Long enough for a service to be restarted, short enough for hints that are taken back meanwhile. */
  private static final Duration GOOD_FOR = Duration.ofMinutes(10);

  @Spec private CommandSpec spec;
  @Mixin private ServiceOptions options;

  @Option(names = "--out", paramLabel = "FILE", description = "the file to write, as a whole")
  private Path out;

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      converter = CommandLines.Durations.class,
      description =
          "with --out: go on, with this pause after each time, such as 10s (default: only once)")
  private Duration every;

  private final ServiceRuntime runtime = ServiceRuntime.system();

  /** What was said last, so that it isn't said each time. */
  private String said = "";

  @Override
  public Integer call() throws CliException, IOException, InterruptedException {
    if (out == null) {
      if (every != null) {
        throw new CliException(CliException.USAGE, "--every is for --out: name the file, too");
      }
      options.print(options.client().get("/directory-hints", Map.of()));
      return 0;
    }
    Path directory = out.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new ParameterException(
          spec.commandLine(), "--out: there is no directory " + directory + " for " + out);
    }
    if (every == null) {
      int hints = write();
      if (options.isJson()) {
        options.print(
            Json.MAPPER.createObjectNode().put("file", out.toString()).put("hints", hints));
      } else {
        options.out().println(out + ": " + hints + " hints count");
      }
      return 0;
    }
    while (true) {
      try {
        say("written, " + write() + " hints count");
      } catch (CliException | IOException e) {
        say(out + " stays as it is: " + e.getMessage());
      }
      runtime.pause().pause(every);
    }
  }

  private int write() throws CliException, IOException, InterruptedException {
    JsonNode answer = options.client().get("/directory-hints", Map.of());
    List<DirectoryHints.Line> lines = new ArrayList<>();
    for (JsonNode hint : answer.path("hints")) {
      if (hint.path("counts").asBoolean()) {
        lines.add(
            DirectoryHints.Line.hint(
                hint.path("directory").asText(),
                hint.path("policy").asText(),
                hint.path("expires").asLong()));
      }
    }
    int hints = lines.size();
    answer
        .path("usual")
        .forEach(directory -> lines.add(DirectoryHints.Line.usual(directory.asText())));
    Instant goodUntil = runtime.clock().instant().plus(GOOD_FOR);
    try {
      new ReplacedFile(out).write(DirectoryHints.text(goodUntil.toEpochMilli(), lines));
    } catch (IllegalArgumentException e) {
      throw new IOException("a NameNode wouldn't take what the service says: " + e.getMessage(), e);
    }
    return hints;
  }

  private void say(String words) {
    if (!words.equals(said)) {
      options.progress().println(spec.qualifiedName() + ": " + words);
      options.progress().flush();
      said = words;
    }
  }
}
