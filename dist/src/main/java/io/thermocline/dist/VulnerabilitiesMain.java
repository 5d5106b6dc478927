// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks which components of a bill of materials have known vulnerabilities. */
@Command(
    name = "thermocline vulnerabilities",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the bill of materials of all that is shipped, and asks OSV (osv.dev, the public database of known"
          + " vulnerabilities) about each component, by name and version alone.",
      "",
      "Exit codes: 0 where none is known, 1 where some are, 3 where the database can't be asked."
    })
public final class VulnerabilitiesMain implements Callable<Integer> {

  private static final int FOUND = 1;
  private static final int UNKNOWN = 3;
  private static final int OK = 200;

  /** Of OSV's querybatch. */
  private static final int MOST_AT_ONCE = 1000;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "the bill of materials, in JSON")
  private Path file;

  @Option(
      names = "--osv",
      paramLabel = "URL",
      defaultValue = "https://api.osv.dev",
      description = "of the database, or of a mirror of it (default: ${DEFAULT-VALUE})")
  private URI osv;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new VulnerabilitiesMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<String> purls = new ArrayList<>();
    for (JsonNode component : JSON.readTree(file.toFile()).path("components")) {
      if (!component.path("group").asText().equals("io.thermocline")) {
        // Without what it is packed as, which OSV doesn't know.
        purls.add(component.path("purl").asText().replaceFirst("\\?.*", ""));
      }
    }
    int found = 0;
    try {
      for (int from = 0; from < purls.size(); from += MOST_AT_ONCE) {
        found += ask(purls.subList(from, Math.min(purls.size(), from + MOST_AT_ONCE)), out);
      }
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println(
              osv
                  + " can't be asked, so nothing is known ("
                  + e
                  + "): run this where it can, or name a mirror with --osv");
      return UNKNOWN;
    }
    out.printf("%d components, %d known vulnerabilities%n", purls.size(), found);
    out.flush();
    return found > 0 ? FOUND : 0;
  }

  private int ask(List<String> purls, PrintWriter out) throws IOException, InterruptedException {
    ObjectNode question = JSON.createObjectNode();
    ArrayNode queries = question.putArray("queries");
    purls.forEach(purl -> queries.addObject().putObject("package").put("purl", purl));
    HttpResponse<String> answer =
        HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .build()
            .send(
                HttpRequest.newBuilder(osv.resolve("/v1/querybatch"))
                    .timeout(PATIENCE)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(question.toString()))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    JsonNode results =
        answer.statusCode() == OK ? JSON.readTree(answer.body()).path("results") : null;
    if (results == null || results.size() != purls.size()) {
      throw new IOException("status " + answer.statusCode() + ", not an answer to each question");
    }
    int found = 0;
    for (int i = 0; i < purls.size(); i++) {
      for (JsonNode vulnerability : results.get(i).path("vulns")) {
        found++;
        out.println(purls.get(i) + ": https://osv.dev/" + vulnerability.path("id").asText());
      }
    }
    return found;
  }
}
