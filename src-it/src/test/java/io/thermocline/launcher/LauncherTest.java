// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts {@code bin/thermocline} as a user does, but never lets it build. */
class LauncherTest {

  private static final Path LAUNCHER = Launched.LAUNCHER;

  @TempDir Path directory;

  @Test
  void helpListsEveryCommand() throws Exception {
    Launched help = run(LAUNCHER, "help");

    assertEquals(0, help.status());
    assertEquals("", help.err());
    for (String command : dispatched()) {
      assertTrue(help.out().contains("\n  " + command + " "), command + " in:\n" + help.out());
    }
    assertEquals(help, run(LAUNCHER, "--help"));
    assertEquals(help, run(LAUNCHER));
  }

  @Test
  void worksThroughASymlinkFromAnywhere() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("tc"), LAUNCHER);

    Launched version = run(link, "version");
    Files.delete(link);

    assertEquals(run(LAUNCHER, "version"), version);
    assertTrue(version.out().matches("thermocline \\d+\\.\\d+\\.\\d+.*\n"), version.out());
  }

  @ParameterizedTest
  @CsvSource({
    "dmeo, demo",
    "tests, test",
    "sevrice, service",
    "bnech, bench",
    "attribute, attributes",
    "-help, help"
  })
  void anUnknownCommandNamesTheNearest(String word, String nearest) throws Exception {
    Launched run = run(LAUNCHER, word);

    assertEquals(2, run.status());
    assertEquals("", run.out());
    assertEquals(
        "thermocline: no command '"
            + word
            + "'; nearest: "
            + nearest
            + "; 'thermocline help' lists them\n",
        run.err());
  }

  @Test
  void nothingIsNearToNonsense() throws Exception {
    assertEquals(
        new Launched(2, "", "thermocline: no command 'xyzzy'; 'thermocline help' lists them\n"),
        run(LAUNCHER, "xyzzy"));
  }

  @Test
  void anUnknownOptionOfTestNamesTheNearest() throws Exception {
    assertEquals(
        new Launched(2, "", "thermocline: no option '--fsat' of test; nearest: --fast\n"),
        run(LAUNCHER, "test", "--fsat"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"test", "build"})
  void commandsOfTheScriptExplainThemselves(String command) throws Exception {
    Launched run = run(LAUNCHER, command, "--help");

    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("Usage: thermocline " + command), run.out());
  }

  /** Not bench: its module is compiled after this one. */
  @ParameterizedTest
  @CsvSource({
    "demo, src-it, io/thermocline/demo/DemoMain",
    "service, tiering-service, io/thermocline/tiering/commands/ServiceMain",
    "mover, tiering-service, io/thermocline/tiering/commands/MoverMain",
    "rules, tiering-service, io/thermocline/tiering/commands/RulesMain",
    "doctor, tiering-service, io/thermocline/tiering/commands/DoctorMain",
    "report, tiering-service, io/thermocline/tiering/cli/CliMain",
    "savings, tiering-service, io/thermocline/tiering/cli/CliMain",
    "attributes, tiering-service, io/thermocline/tiering/commands/AttributesMain",
    "probe, tiering-service, io/thermocline/tiering/commands/ProbeMain",
    "mine, tiering-service, io/thermocline/tiering/commands/MineMain",
    "estimate, redundancy-elimination, io/thermocline/redundancy/commands/EstimateMain",
    "send, redundancy-elimination, io/thermocline/redundancy/commands/SendMain",
    "gateway, redundancy-elimination, io/thermocline/redundancy/commands/GatewayMain",
    "simulate, tiering-service, io/thermocline/tiering/commands/SimulateMain",
    "status, tiering-service, io/thermocline/tiering/cli/CliMain",
    "explain, tiering-service, io/thermocline/tiering/cli/CliMain"
  })
  void commandsInJavaExplainThemselves(String command, String module, String main)
      throws Exception {
    Path compiled = Launched.ROOT.resolve(module + "/target/classes/" + main + ".class");
    assumeTrue(Files.exists(compiled), () -> compiled + " is not compiled");

    Launched run = run(LAUNCHER, command, "--help");

    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("Usage: "), run.out());
    assertEquals("", run.err());
  }

  /** The words of the script's own case statement. */
  private static List<String> dispatched() throws IOException {
    String script = Files.readString(LAUNCHER);
    Matcher word =
        Pattern.compile("(?m)^  ([a-z]+)(?: \\| --?[a-z]+)*\\)")
            .matcher(script.substring(script.lastIndexOf("case $command in")));
    List<String> words = new ArrayList<>();
    while (word.find()) {
      words.add(word.group(1));
    }
    assertEquals(
        List.of(
            "demo",
            "service",
            "mover",
            "status",
            "heat",
            "explain",
            "report",
            "savings",
            "plan",
            "approve",
            "pause",
            "resume",
            "stop",
            "reload",
            "move",
            "moves",
            "tasks",
            "nodes",
            "rules",
            "doctor",
            "undo",
            "uninstall",
            "attributes",
            "probe",
            "mine",
            "groups",
            "estimate",
            "send",
            "gateway",
            "simulate",
            "bench",
            "soak",
            "chaos",
            "fuzz",
            "token",
            "package",
            "sbom",
            "vulnerabilities",
            "mutate",
            "dependencies",
            "docs",
            "evidence",
            "completion",
            "test",
            "build",
            "help",
            "version"),
        words);
    return words;
  }

  private Launched run(Path launcher, String... arguments) throws Exception {
    return Launched.start(launcher, directory, List.of(arguments)).await(Duration.ofMinutes(1));
  }
}
