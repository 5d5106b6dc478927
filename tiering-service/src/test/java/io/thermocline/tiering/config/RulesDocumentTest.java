// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.rules.RuleSet;
import io.thermocline.tiering.rules.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The worked examples of docs/guides/rules.md. */
class RulesDocumentTest {

  private static final Path DOCUMENT =
      Path.of(System.getProperty("project.root"), "docs", "guides", "rules.md");

  /** A block of rules, and the table behind it. */
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "```yaml\n(.*?)```\n\n\\| path [^\n]*\n\\|---[^\n]*\n((?:\\|[^\n]*\n)+)", Pattern.DOTALL);

  private static final Instant WEDNESDAY_NOON = Instant.parse("2026-11-18T12:00:00Z");

  @Test
  void theExamplesAreTrue() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(DOCUMENT));
    int files = 0;
    while (example.find()) {
      RuleSet ruleSet = RulesFile.parse("docs/guides/rules.md", example.group(1));
      for (String row : example.group(2).split("\n")) {
        check(ruleSet, row);
        files++;
      }
    }
    assertEquals(19, files);
  }

  private static void check(RuleSet ruleSet, String row) {
    List<String> cells =
        List.of(row.substring(1).split("\\|", -1)).stream().map(String::trim).toList();
    FileView file =
        new FileView(
            cells.get(0),
            Long.parseLong(cells.get(2)) << 20,
            3,
            0,
            List.of(),
            cells.get(1),
            null,
            "",
            new FileView.Times(daysAgo(cells.get(3)), daysAgo(cells.get(4))));
    Verdict verdict = ruleSet.of(file, Double.parseDouble(cells.get(5)), WEDNESDAY_NOON);
    StorageType goal = verdict.goal(StorageType.valueOf(cells.get(6)));

    assertEquals(cells.get(7), verdict.words(), row);
    assertEquals(cells.get(8), goal == null ? "" : goal.name(), row);
  }

  private static long daysAgo(String days) {
    return WEDNESDAY_NOON.minus(Duration.ofDays(Long.parseLong(days))).toEpochMilli();
  }
}
