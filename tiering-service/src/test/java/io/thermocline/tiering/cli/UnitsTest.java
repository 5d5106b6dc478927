// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What units of systemd start are commands that there are, with options that they have. */
class UnitsTest {

  private static final Path CONF = Path.of(System.getProperty("project.root"), "conf");
  private static final Pattern OUT = Pattern.compile(" --out (\\S+)/[^/ ]+ ");
  private static final String LAUNCHER = "ExecStart=/usr/lib/thermocline/bin/thermocline ";

  /** Of a user of its own, systemd makes each start's directories that user's, with all that is in them. */
  @Test
  void noDirectoryIsOfTwoAndEachWritesToItsOwn() throws IOException {
    Map<String, String> unitOf = new TreeMap<>();
    for (Path unit : units()) {
      List<String> lines = Files.readAllLines(unit);
      List<String> own = new ArrayList<>();
      for (String line : lines) {
        if (line.matches("(State|Logs|Runtime)Directory=.*")) {
          own.add(line.replace("StateDirectory=", "/var/lib/"));
          assertNull(unitOf.put(line, unit.toString()), () -> line + " is also of " + unit);
        }
      }
      for (String line : lines) {
        Matcher out = OUT.matcher(line);
        if (line.startsWith("ExecStart=") && out.find()) {
          assertEquals(List.of(out.group(1)), own, unit::toString);
        }
      }
    }
    assertEquals(6, unitOf.size(), unitOf::toString);
  }

  private static List<Path> units() throws IOException {
    try (Stream<Path> conf = Files.list(CONF)) {
      return conf.filter(path -> path.toString().endsWith(".service")).toList();
    }
  }

  @Test
  void eachStartsACommand() throws IOException {
    Set<String> started = new TreeSet<>();
    for (Path unit : units()) {
      List<String> lines =
          Files.readAllLines(unit).stream().filter(line -> line.startsWith("ExecStart=")).toList();
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
    assertEquals(Set.of("service", "mover", "directory-hints", "attributes"), started);
  }
}
