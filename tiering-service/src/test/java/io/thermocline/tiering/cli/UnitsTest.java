// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What units of systemd start are commands that there are, with options that they have. */
class UnitsTest {

  private static final Path CONF = Path.of(System.getProperty("project.root"), "conf");
  private static final String LAUNCHER = "ExecStart=/usr/lib/thermocline/bin/thermocline ";

  @Test
  void eachStartsACommand() throws IOException {
    Set<String> started = new TreeSet<>();
    try (Stream<Path> conf = Files.list(CONF)) {
      for (Path unit : conf.filter(path -> path.toString().endsWith(".service")).toList()) {
        List<String> lines =
            Files.readAllLines(unit).stream()
                .filter(line -> line.startsWith("ExecStart="))
                .toList();
        assertEquals(1, lines.size(), unit::toString);
        assertTrue(lines.get(0).startsWith(LAUNCHER), unit::toString);
        List<String> words =
            List.of(
                lines
                    .get(0)
                    .substring(LAUNCHER.length())
                    .replace("${HADOOP_CONF_DIR}", "/etc/hadoop/conf")
                    .replace("$ATTRIBUTES_OPTIONS", "--from /etc/thermocline/by-hand")
                    .split(" "));
        CommandLine all = CliMain.all();
        assertTrue(all.getSubcommands().containsKey(words.get(0)), () -> words + " of " + unit);
        all.parseArgs(words.toArray(String[]::new));
        started.add(words.get(0));
      }
    }
    assertEquals(Set.of("service", "mover", "directory-hints", "attributes"), started);
  }
}
