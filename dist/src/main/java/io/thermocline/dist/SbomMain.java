// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Looks at the licences of a bill of materials. */
@Command(
    name = "thermocline sbom",
    mixinStandardHelpOptions = true,
    description = {
      "Writes target/sbom.json, the bill of materials (CycloneDX) of all that is shipped, and says under which licences"
          + " that comes.",
      "",
      "Exit codes: 0 where all has a licence that may be shipped with Apache-2.0; 1 where something has none, or where"
          + " the CycloneDX plugin fails; 3 where it isn't here and the Maven registry can't be reached."
    })
public final class SbomMain implements Callable<Integer> {

  /**
   * Of the licences that something is offered under, one is enough. None of these asks for more than its own text, which
   * stands in the library's jar; CDDL and EPL ask for a notice that says where the source is.
   */
  private static final Pattern GOOD =
      Pattern.compile(
          "Apache-2\\.0|MIT|MIT-0|BSD-\\d-Clause|0BSD|ISC|Bouncy Castle Licence|The \\(?New\\)? ?BSD License"
              + "|The Go license|CC0-1\\.0|Public Domain",
          Pattern.CASE_INSENSITIVE);

  private static final int UNREACHABLE = 3;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "the bill of materials, in JSON")
  private Path file;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "there is no bill of materials: what Maven printed, which says why")
  private Path log;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new SbomMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (log != null) {
      String so = "there is no bill of materials";
      return MavenLog.of(log).explain(out, "the CycloneDX plugin", so) ? UNREACHABLE : 1;
    }
    Map<String, Integer> counts = new TreeMap<>();
    List<String> bad = new ArrayList<>();
    JsonNode components = new ObjectMapper().readTree(file.toFile()).path("components");
    for (JsonNode component : components) {
      List<String> licences = licences(component);
      counts.merge(
          licences.isEmpty() ? "none said" : String.join(" or ", licences), 1, Integer::sum);
      boolean isOurs = component.path("group").asText().equals("io.thermocline");
      if (!isOurs && licences.stream().noneMatch(licence -> GOOD.matcher(licence).find())) {
        bad.add(component.path("purl").asText() + ": " + licences);
      }
    }
    counts.forEach((licence, count) -> out.printf("%5d  %s%n", count, licence));
    out.printf("%d components in %s%n", components.size(), file);
    bad.forEach(each -> out.println("no licence that may be shipped: " + each));
    out.flush();
    return bad.isEmpty() && !components.isEmpty() ? 0 : 1;
  }

  private static List<String> licences(JsonNode component) {
    List<String> licences = new ArrayList<>();
    for (JsonNode choice : component.path("licenses")) {
      JsonNode licence = choice.path("license");
      licences.add(
          licence.has("id")
              ? licence.path("id").asText()
              : licence.path("name").asText(choice.path("expression").asText()));
    }
    return licences;
  }
}
