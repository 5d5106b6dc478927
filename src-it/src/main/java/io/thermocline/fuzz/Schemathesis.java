// SPDX-License-Identifier: Apache-2.0
package io.thermocline.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.testbed.process.Reaper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/** The public tool that tests an interface from its OpenAPI document (schemathesis.io, MIT), in a Python environment of its own. */
final class Schemathesis {

  private static final String VERSION = "4.32.5";

  /** Longer than anything that is asked for may take. */
  private static final Duration HANGS = Duration.ofSeconds(20);

  private static final Duration GRACE = Duration.ofMinutes(5);

  private static final String CHECKS =
      "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
          + "response_headers_conformance,negative_data_rejection,unsupported_method,allow_header_conformance,"
          + "ignored_auth,use_after_free";

  /** Of failures: the server's own fault, and an answer that took too long. */
  private static final Set<String> SERVER_ERROR = Set.of("ServerError");

  private static final Set<String> TOO_LATE = Set.of("ResponseTimeExceeded", "RequestTimeout");

  private final Path environment;

  /**
   * What it found.
   *
   * @param operations that the document has
   * @param tested of those, with at least one request
   * @param cases requests that were made up
   * @param hangs that weren't answered in time
   * @param failures kinds of them, with the server errors
   */
  record Findings(
      long operations, long tested, long cases, long serverErrors, long hangs, long failures) {
    boolean isClean() {
      return tested > 0 && failures == 0 && hangs == 0;
    }
  }

  private Schemathesis(Path environment) {
    this.environment = environment;
  }

  /**
   * Makes the environment in a directory, where it isn't there yet.
   *
   * @throws IOException where there is no Python with venv, or the tool can't be downloaded
   */
  static Schemathesis in(Path directory) throws IOException, InterruptedException {
    Path environment = directory.resolve("schemathesis-" + VERSION);
    Path ready = environment.resolve("ready");
    Path log = directory.resolve("install.log");
    if (Files.notExists(ready)) {
      Files.createDirectories(directory);
      run(
          log,
          "there is no python3 with venv: install it (on Debian or Ubuntu: apt-get install python3-venv)",
          List.of("python3", "-m", "venv", "--clear", environment.toString()));
      run(
          log,
          "the tool can't be installed from PyPI",
          List.of(
              environment.resolve("bin/pip").toString(),
              "install",
              "--quiet",
              "--disable-pip-version-check",
              "schemathesis==" + VERSION));
      Files.createFile(ready);
    }
    return new Schemathesis(environment);
  }

  private static void run(Path log, String problem, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    int status;
    try {
      status = Reaper.watch(builder.start()).waitFor();
    } catch (IOException e) {
      throw new IOException(problem, e);
    }
    if (status != 0) {
      throw new IOException(problem + "; " + log + " says more");
    }
  }

  /**
   * Makes up requests for some time.
   *
   * @param out where its own report goes, to read what was found
   */
  Findings run(URI service, String token, Duration howLong, long seed, Path out)
      throws IOException, InterruptedException {
    Path report = out.resolveSibling("report.json");
    Files.deleteIfExists(report);
    ProcessBuilder builder =
        new ProcessBuilder(
                environment.resolve("bin/st").toString(),
                "--no-color",
                "run",
                service + "/api/v1/openapi.json",
                "--header",
                "Authorization: Bearer " + token,
                "--checks",
                CHECKS,
                "--max-time",
                Long.toString(howLong.toSeconds()),
                "--request-timeout",
                Long.toString(HANGS.toSeconds()),
                "--continue-on-failure",
                "--seed",
                Long.toString(seed),
                "--generation-database",
                "none",
                "--report",
                "json",
                "--report-json-path",
                report.toString())
            .directory(out.getParent().toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    Process process = Reaper.watch(builder.start());
    try {
      if (!process.waitFor(howLong.plus(GRACE).toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("it did not come to its end; " + out + " says how far it came");
      }
    } finally {
      process.destroyForcibly();
    }
    if (Files.notExists(report)) {
      throw new IOException("it could not begin; " + out + " says why");
    }
    return findings(new ObjectMapper().readTree(report.toFile()));
  }

  static Findings findings(JsonNode report) {
    JsonNode failures = report.path("failures");
    return new Findings(
        report.at("/operations/total").asLong(),
        report.at("/operations/tested").asLong(),
        report.at("/test_cases/generated").asLong(),
        count(failures, SERVER_ERROR),
        count(failures, TOO_LATE) + count(report.path("errors"), null),
        count(failures, null));
  }

  /**
   * @param types null: all
   */
  private static long count(JsonNode found, Set<String> types) {
    return StreamSupport.stream(found.spliterator(), false)
        .filter(each -> types == null || types.contains(each.path("type").asText()))
        .mapToLong(each -> each.path("count").asLong())
        .sum();
  }
}
