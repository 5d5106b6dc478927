// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.observe.PathGlob;
import io.thermocline.tiering.rules.RuleSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RulesFileTest {

  private static final Path EXAMPLE =
      Path.of(System.getProperty("project.root"), "conf", "rules.yaml");

  /**
   * A mistake stands at each sign; a sign after the mistake's own place stands for the number
   * behind it.
   */
  private static final Pattern SIGN = Pattern.compile("«([^»]*)»");

  @Test
  void readsTheExampleAsItIs() throws ConfigException {
    RuleSet ruleSet = RulesFile.read(EXAMPLE);

    assertEquals(5, ruleSet.rules().size());
    assertEquals("audit trail stays", ruleSet.rules().get(0).name(), "by priority, then in order");
    assertEquals("dashboards", ruleSet.rules().get(1).name());
    assertEquals(
        List.of("user alice", "group research", "directory /warehouse/tenants/a"),
        ruleSet.caps().stream().map(Cap::scope).map(Object::toString).toList());
  }

  /** Ten mistakes, each marked where it is to be reported, with a part of its message. */
  @Test
  void tellsTenMistakesAtOnceWithTheirPlaces() {
    String marked =
        """
        version: «found '2'»2
        timeZone: «like UTC»Nowhere
        rules:
          - name: first
            paths: [/a]
            olderThan: «a duration»soon
            atMost: COLD
          - name: second
            paths: «absolute»[b]
            atMost: «ONE_SSD, HOT and COLD»WARM
          - name: third
            paths: [/c]
            scope: «one of managed, pinned, ignored»frozen
          - name: fourth
            paths: [/d/**]
            «did you mean rules[4].priority»priorty: 3
            atMost: DISK
          - name: fifth
            paths: [/d/*/x]
            priority: «fourth»0
            atMost: SSD
          - name: sixth
            paths: [/e]
            moveOnly: «22:00-06:00»25:00-26:00
        caps:
          - {user: u, type: ssd, max: «a size»much}
        """;
    ConfigException problem =
        assertThrows(
            ConfigException.class, () -> RulesFile.parse("r", SIGN.matcher(marked).replaceAll("")));

    List<String> lines = problem.problems();
    assertEquals(10, lines.size(), problem::getMessage);
    String[] rows = marked.split("\n");
    int mistakes = 0;
    for (int row = 0; row < rows.length; row++) {
      Matcher sign = SIGN.matcher(rows[row]);
      if (sign.find()) {
        mistakes++;
        String place = "r:" + (row + 1) + ":" + (sign.start() + 1) + ": ";
        String words = sign.group(1);
        assertTrue(
            lines.stream().anyMatch(line -> line.startsWith(place) && line.contains(words)),
            () -> place + words + " in\n" + problem.getMessage());
      }
    }
    assertEquals(10, mistakes);
  }

  /** More than is compiled: so much in one pattern would take a second and a gigabyte. */
  @Test
  void refusesWhatIsTooMuchBeforeItIsCompiled() {
    String rule = "  - {name: a%d, paths: [%s], atMost: DISK}\n";
    String tooLong = "/" + "*a".repeat(1_000_000);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> assertRefused(rule.formatted(1, tooLong), "rules[1].paths", "found 2000001"));

    StringBuilder many = new StringBuilder();
    for (int i = 0; i <= RulesFile.MOST_RULES; i++) {
      many.append(rule.formatted(i, "/p" + i));
    }
    assertRefused(many.toString(), "rules", "expected at most 1000, found 1001");

    // YAML's aliases make twice as many of them.
    String wild = "/" + "*a".repeat(PathGlob.MAX_LENGTH / 2 - 1);
    String half = "'" + wild + "'" + (", '" + wild + "'").repeat(RulesFile.MOST_PATTERNS / 2);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () ->
            assertRefused(
                "  - {name: a, paths: &p ["
                    + half
                    + "], atMost: DISK}\n"
                    + "  - {name: b, paths: *p, atMost: SSD}\n",
                "rules[2].paths",
                "at most 2000 patterns in all rules, found 2002"));
  }

  /** Brackets of 30,000 levels, in each way that YAML can nest, run on a small stack. */
  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "{? ", "- ", "? ", "&a [", "!!seq [", "[{a: ", "- - ? "})
  void refusesWhatNestsTooDeep(String opening) {
    String text = "version: 1\nrules:\n  " + opening.repeat(30_000);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          ConfigException problem =
              assertThrows(ConfigException.class, () -> RulesFile.parse("r", text));
          assertEquals(1, problem.problems().size(), problem::getMessage);
          String words = "expected at most 32 sections and lists within each other";
          assertTrue(problem.getMessage().endsWith(words), problem::getMessage);
          assertTrue(problem.getMessage().startsWith("r:3:"), problem::getMessage);
        });
  }

  @Test
  void refusesLongTextsThatAliasesRepeat() {
    String name = "a".repeat(YamlFile.MAX_REPEATED + 1);
    assertRefused(
        "  - {name: &n " + name + ", paths: [/a], atMost: DISK}\n", "", "in a text with an anchor");
  }

  /** Patterns of each of which all places can meet all of the others': years without a bound. */
  @Test
  void refusesPatternsThatTakeTooLongToCompare() {
    String wild = "*a".repeat(PathGlob.MAX_LENGTH / 2 - 2);
    StringBuilder rules = new StringBuilder();
    for (int i = 0; i < RulesFile.MOST_RULES; i++) {
      String path =
          i == 0
              ? "&a '/" + wild + "b'"
              : i == 1 ? "&b '/" + wild + "c'" : "*" + "ab".charAt(i % 2);
      rules.append(
          "  - {name: a%d, paths: [%s ], atMost: %s}\n"
              .formatted(i, path, i % 2 == 0 ? "DISK" : "SSD"));
    }
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> assertRefused(rules.toString(), "rules", "take too long to compare"));
  }

  /** As many rules as there may be, on paths as sites have them. */
  @Test
  void comparesAThousandOrdinaryRules() throws ConfigException {
    StringBuilder rules = new StringBuilder("version: 1\nrules:\n");
    for (int i = 0; i < RulesFile.MOST_RULES; i++) {
      rules.append(
          "  - {name: a%d, paths: [/warehouse/tenants/t%d/*/raw/**, /**/archive-%d/*.orc], atMost: DISK}\n"
              .formatted(i, i, i)
              .replace("DISK", i % 2 == 0 ? "DISK" : "HOT"));
    }
    assertEquals(RulesFile.MOST_RULES, RulesFile.parse("r", rules.toString()).rules().size());
  }

  @Test
  void namesTheFirstOfManyMistakes() {
    StringBuilder rules = new StringBuilder("version: 1\nrules:\n");
    for (int i = 0; i < RulesFile.MOST_RULES; i++) {
      rules.append("  - {paths: [/a], atMost: " + (i % 2 == 0 ? "DISK" : "SSD") + "}\n");
    }
    ConfigException problem =
        assertThrows(ConfigException.class, () -> RulesFile.parse("r", rules.toString()));
    assertEquals(ConfigException.MAX_PROBLEMS, problem.problems().size());
    assertTrue(problem.getMessage().endsWith(" more"), problem::getMessage);
  }

  private static void assertRefused(String rules, String key, String words) {
    ConfigException problem =
        assertThrows(
            ConfigException.class, () -> RulesFile.parse("r", "version: 1\nrules:\n" + rules));
    assertEquals(1, problem.problems().size(), problem::getMessage);
    assertTrue(problem.getMessage().contains(key.isEmpty() ? "" : key + " "), problem::getMessage);
    assertTrue(problem.getMessage().contains(words), problem::getMessage);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rules: []",
        "version: 1\nrules: [{paths: [/a], atMost: DISK}]",
        "version: 1\nrules: [{name: a, atMost: DISK}]",
        "version: 1\nrules: [{name: a, paths: [/a]}]",
        "version: 1\nrules: [{name: a, paths: [/a], atMost: DISK, atLeast: SSD}]",
        "version: 1\nrules: [{name: a, paths: [/a], atMost: DISK, scope: pinned}]",
        "version: 1\nrules: [{name: a, paths: [/a], scope: pinned, moveOnly: '01:00-02:00'}]",
        "version: 1\nrules: [{name: a, paths: [/a], scope: ignored, user: u}]",
        "version: 1\nrules: [{name: a, paths: [/a], atMost: DISK, atLeastBytes: 2 MB, belowBytes: 1 MB}]",
        "version: 1\nrules: [{name: a, paths: [/a], atMost: DISK}, {name: a, paths: [/b], atMost: DISK}]",
        "version: 1\ncaps: [{user: u, path: /p, type: ssd, max: 1 GB}]",
        "version: 1\ncaps: [{user: u, type: ssd}]",
        "version: 1\nrules: [{name: a, paths: [/a], moveOnly: Mon-Tue-Wed 01:00-02:00}]",
        "version: 1\nrules: {a: b}",
        "version: 1\nrules: [",
        "- a",
      })
  void tellsEachMistake(String text) {
    ConfigException problem = assertThrows(ConfigException.class, () -> RulesFile.parse("r", text));
    assertEquals(1, problem.problems().size(), problem::getMessage);
  }

  @Test
  void namesWhatReplacedAKey() {
    String text = "version: 1\ncaps: [{user: u, type: ssd, most: 1 GB}]";
    ConfigException problem = assertThrows(ConfigException.class, () -> RulesFile.parse("r", text));
    assertTrue(
        problem.getMessage().contains("caps[1].most was renamed: use caps[].max"),
        problem::getMessage);
  }

  /** Rules of equal priority may stand beside each other where no file can be of both. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: a, paths: [/a], atMost: DISK}, {name: b, paths: [/b], atMost: SSD}",
        "{name: a, paths: [/a], atMost: DISK}, {name: b, paths: [/a], atMost: DISK}",
        "{name: a, paths: [/a], atMost: DISK}, {name: b, paths: [/a], scope: pinned}",
        "{name: a, paths: [/a], atMost: DISK}, {name: b, paths: [/a], atLeast: ARCHIVE}",
        "{name: a, paths: [/a], user: u, atMost: DISK}, {name: b, paths: [/a], user: v, atMost: SSD}",
        "{name: a, paths: [/a/*/b], atMost: DISK}, {name: b, paths: [/a/c/d], atMost: SSD}",
      })
  void knowsWhatIsNoTie(String rules) throws ConfigException {
    assertEquals(2, RulesFile.parse("r", "version: 1\nrules: [" + rules + "]").rules().size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: a, paths: [/a], atMost: DISK}, {name: b, paths: [/a/b], atMost: SSD}",
        "{name: a, paths: [/a], atMost: DISK}, {name: b, paths: [/*/b], atLeast: SSD}",
        "{name: a, paths: [/a], scope: pinned}, {name: b, paths: ['/**/b'], scope: managed}",
        "{name: a, paths: [/a], moveOnly: '01:00-02:00'}, {name: b, paths: [/a], moveOnly: '02:00-03:00'}",
        "{name: a, paths: [/a], user: u, atMost: DISK}, {name: b, paths: [/a], group: g, atMost: SSD}",
      })
  void knowsTies(String rules) {
    ConfigException problem =
        assertThrows(
            ConfigException.class,
            () -> RulesFile.parse("r", "version: 1\nrules: [" + rules + "]"));
    assertEquals(1, problem.problems().size(), problem::getMessage);
    assertTrue(problem.getMessage().contains("rule 'a' (r:2)"), problem::getMessage);
  }

  @Test
  void theExampleNamesEveryKey() throws Exception {
    String example = java.nio.file.Files.readString(EXAMPLE);
    for (String key :
        Arrays.asList(
            "version",
            "timeZone",
            "name",
            "paths",
            "priority",
            "user",
            "group",
            "olderThan",
            "unreadFor",
            "atLeastBytes",
            "belowBytes",
            "scope",
            "atLeast",
            "atMost",
            "moveOnly",
            "type",
            "max")) {
      assertTrue(example.contains(key), key);
    }
  }
}
