// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Texts of thermocline.yaml, read as the service does. */
abstract class ConfigFileCase {

  static final Path ROOT = Path.of(System.getProperty("project.root"));

  static final Path EXAMPLE = ROOT.resolve("tiering-service/src/test/conf/every-key.yaml");

  /** All that has no default. */
  static final String LEAST =
      """
      observe:
        auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]
      manage:
        paths: [/warehouse]
      journal:
        directory: /var/lib/thermocline
      """;

  @TempDir Path directory;

  /**
   * The file of all keys, where some lines hold that it has behind #.
   *
   * @param lines how they begin, below a section's own indentation
   */
  static String example(String... lines) throws IOException {
    String text = Files.readString(EXAMPLE);
    for (String line : lines) {
      String commented = "\n  " + line.replaceFirst("^( *)", "$1# ");
      assertTrue(text.contains(commented), commented);
      text = text.replace(commented, "\n  " + line);
    }
    return text;
  }

  ServiceConfig read(String text) throws IOException, ConfigException {
    return ServiceConfigFile.read(write(text));
  }

  /** The problems without the file's name in front. */
  List<String> problems(String text) throws IOException {
    Path file = write(text);
    ConfigException refusal =
        assertThrows(ConfigException.class, () -> ServiceConfigFile.read(file));
    assertEquals(String.join("\n", refusal.problems()), refusal.getMessage());
    return refusal.problems().stream()
        .map(
            problem -> {
              assertTrue(problem.startsWith(file.toString()), problem);
              return problem.substring(file.toString().length());
            })
        .toList();
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("thermocline.yaml"), text);
  }
}
