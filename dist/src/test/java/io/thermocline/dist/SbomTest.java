// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SbomTest {

  private static final String GOOD =
      """
      {"group": "a", "name": "x", "purl": "pkg:maven/a/x@1", "licenses": [{"license": {"id": "Apache-2.0"}}]},
      {"group": "b", "name": "y", "purl": "pkg:maven/b/y@1",
       "licenses": [{"license": {"name": "Some licence"}}, {"license": {"id": "MIT"}}]},
      {"group": "c", "name": "z", "purl": "pkg:maven/c/z@1",
       "licenses": [{"expression": "(BSD-3-Clause OR GPL-2.0-only)"}]},
      {"group": "io.thermocline", "name": "tiering-service", "purl": "pkg:maven/io.thermocline/t@1"}
      """;

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();

  @Test
  void takesWhatMayBeShipped() throws IOException {
    assertEquals(0, run(GOOD));
    assertTrue(out.toString().contains("4 components"), out::toString);
  }

  @Test
  void namesWhatMayNot() throws IOException {
    String bad =
        """
        , {"group": "d", "name": "v", "purl": "pkg:maven/d/v@2", "licenses": [{"license": {"id": "GPL-3.0-only"}}]}
        , {"group": "e", "name": "w", "purl": "pkg:maven/e/w@3", "licenses": []}
        , {"group": "f", "name": "u", "purl": "pkg:maven/f/u@4", "licenses": [{"license": {"id": "CDDL-1.1"}}]}
        """;
    assertEquals(1, run(GOOD + bad));
    assertTrue(out.toString().contains("shipped: pkg:maven/d/v@2: [GPL-3.0-only]"), out::toString);
    assertTrue(out.toString().contains("shipped: pkg:maven/e/w@3: []"), out::toString);
    assertTrue(out.toString().contains("shipped: pkg:maven/f/u@4: [CDDL-1.1]"), out::toString);
  }

  @Test
  void refusesABillOfNothing() throws IOException {
    assertEquals(1, run(""));
  }

  /** A bill that isn't made is no good one; only the exit code tells why. */
  @Test
  void tellsARegistryThatCannotBeReachedFromAPluginThatFails() throws IOException {
    String plugin = "[ERROR] Plugin org.cyclonedx:cyclonedx-maven-plugin:2.9.1 ";
    assertEquals(3, withoutBill(plugin + "... Could not transfer artifact: Connection refused"));
    assertTrue(out.toString().contains("registry can't be reached"), out::toString);
    assertEquals(1, withoutBill(plugin + "... Could not find artifact"));
    assertTrue(out.toString().contains("Could not find artifact"), out::toString);
    assertEquals(1, withoutBill(""));
  }

  private int withoutBill(String said) throws IOException {
    Path log = Files.writeString(directory.resolve("log"), said);
    return new CommandLine(new SbomMain())
        .setOut(new PrintWriter(out, true))
        .execute(directory.resolve("sbom.json").toString(), "--log", log.toString());
  }

  private int run(String components) throws IOException {
    Path file =
        Files.writeString(directory.resolve("sbom.json"), "{\"components\": [" + components + "]}");
    return new CommandLine(new SbomMain())
        .setOut(new PrintWriter(out, true))
        .execute(file.toString());
  }
}
