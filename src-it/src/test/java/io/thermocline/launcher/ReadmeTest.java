// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README tells people to type. */
class ReadmeTest {

  private static final String TEST = "bin/thermocline test";

  @TempDir Path directory;

  @Test
  void showsTheTwoCommands() throws IOException {
    assertTrue(commands().contains("bin/thermocline demo"), commands().toString());
    assertTrue(commands().contains(TEST), commands().toString());
  }

  /** All but the one that runs this. */
  @Tag("cluster")
  @Test
  void showsCommandsThatWork() throws Exception {
    for (String command : commands()) {
      if (!command.equals(TEST)) {
        List<String> words = List.of(command.split(" +"));
        assertEquals("bin/thermocline", words.get(0));
        Launched ended =
            Launched.start(Launched.LAUNCHER, directory, words.subList(1, words.size()))
                .await(Duration.ofMinutes(5));
        assertEquals(0, ended.status(), command + ": " + ended.out() + ended.err());
      }
    }
    assertTrue(Files.size(directory.resolve("thermocline-demo.html")) > 100_000);
  }

  /** The lines of the README's code blocks that call the launcher, without their comments. */
  private static List<String> commands() throws IOException {
    return Files.readAllLines(Launched.ROOT.resolve("README.md")).stream()
        .filter(
            line -> line.startsWith("    bin/thermocline") || line.startsWith("bin/thermocline"))
        .map(line -> line.strip().replaceFirst("\\s+#.*", ""))
        .toList();
  }
}
