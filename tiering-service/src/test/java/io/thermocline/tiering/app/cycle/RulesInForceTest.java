// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.rules.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesInForceTest {

  private static final String ONE = "version: 1\nrules: [{name: a, paths: [/a], atMost: DISK}]\n";

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("rules.yaml"), ONE);
  }

  @Test
  void takesAFileThatChangedAndKeepsTheLastGoodOne() throws Exception {
    RulesInForce rules = RulesInForce.of(config("rules: " + file));
    RuleSet first = rules.ruleSet();
    assertEquals("a", first.rules().get(0).name());
    assertSame(first, rules.reload(), "unchanged");

    Files.writeString(file, ONE.replace("DISK", "WARM"));
    assertSame(first, rules.reload());
    assertTrue(rules.problem().startsWith(file + ":2:"), rules.problem());
    assertSame(first, rules.reload(), "still bad");
    assertTrue(rules.problem().startsWith(file + ":2:"), "and still said");

    Files.writeString(file, ONE.replace("name: a", "name: b"));
    assertEquals("b", rules.reload().rules().get(0).name());
    assertEquals("", rules.problem());
    assertEquals("b", rules.ruleSet().rules().get(0).name());
  }

  @Test
  void survivesThatTheFileIsAway() throws Exception {
    RulesInForce rules = RulesInForce.of(config("rules: " + file));
    RuleSet first = rules.ruleSet();
    Files.delete(file);
    assertSame(first, rules.reload());
    assertEquals(file + ": no such file: correct the path", rules.problem());
    Files.writeString(file, ONE);
    assertSame(first, rules.reload());
    assertEquals("", rules.problem());
  }

  @Test
  void aBadFileIsPutBack() throws Exception {
    RulesInForce rules = RulesInForce.of(config("rules: " + file));
    Files.writeString(file, "version: 3");
    rules.reload();
    Files.delete(file);
    rules.reload();
    Files.writeString(file, "version: 3");
    rules.reload();
    assertTrue(rules.problem().contains("found '3'"), rules.problem());
    Files.writeString(file, ONE);
    rules.reload();
    assertEquals("", rules.problem());
  }

  /** Each setting stands in one place. */
  @Test
  void theConfigurationAndTheRulesFileDontShareWork() throws Exception {
    for (String key : new String[] {"ignore", "pin"}) {
      ConfigException problem =
          assertThrows(
              ConfigException.class, () -> config("rules: " + file + "\n  " + key + ": [/a]"));
      assertTrue(problem.getMessage().contains("manage." + key + " stands in the rules file"));
    }
    ConfigException caps =
        assertThrows(
            ConfigException.class,
            () -> config("rules: " + file + "\ndecide: {caps: [{user: u, max: 1 GB}]}"));
    assertTrue(
        caps.getMessage().contains("decide.caps stand in the rules file"), caps.getMessage());
    Files.writeString(file, "version: 2");
    ConfigException bad = assertThrows(ConfigException.class, () -> config("rules: " + file));
    assertTrue(bad.getMessage().contains("manage.rules can't be used:\n" + file + ":1:10: "));
  }

  @Test
  void withoutAFileTheConfigurationsListsHold() throws Exception {
    RuleSet ruleSet = RulesInForce.of(config("ignore: [/a/tmp]\n  pin: [/a]")).reload();
    assertTrue(ruleSet.ignores("/a/tmp/x"));
    assertEquals(2, ruleSet.rules().size());
  }

  private ServiceConfig config(String manage) throws ConfigException, IOException {
    return ServiceConfigFile.read(
        Files.writeString(
            directory.resolve("thermocline.yaml"),
            "observe: {auditLogs: [/log]}\njournal: {directory: /j}\nmanage:\n  paths: [/]\n  "
                + manage
                + "\n"));
  }
}
