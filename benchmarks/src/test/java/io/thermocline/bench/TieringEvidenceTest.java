// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/evidence/tiering.md says what the command prints: run again for a fast tier of 1 %. */
class TieringEvidenceTest {
  private static final Path PAGE = Path.of("..", "docs", "evidence", "tiering.md");

  /** By column: what the field is called, how the page shows it, and in which unit. */
  private static final List<Figure> FIGURES =
      List.of(
          new Figure("hit_share_of_oracle", "%.3f", 1),
          new Figure("byte_hit_share_of_oracle", "%.2f", 1),
          new Figure("bytes_moved_vs_oracle", "%.2f", 1),
          new Figure("disk_time_saved", "%.2f %%", 100),
          new Figure("peak_disk_time_saved", "%.2f %%", 100));

  /** Rows of {@code --parts}, which takes as long as all the others; and what the others are shares of. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "policy",
          "thresholds_only",
          "learned_only",
          "no_gate",
          "no_residency",
          "every_5m",
          "one_copy",
          "oracle itself");

  private record Figure(String field, String format, int times) {
    String shown(JsonNode value) {
      // No minus before nothing.
      return String.format(Locale.ROOT, format, value.asDouble() * times + 0.0)
          .replace("-0.00", "0.00");
    }
  }

  @Tag("slow")
  @Test
  void thePageHasTheFiguresOfGeneratedReads() throws Exception {
    JsonNode report = TieringCommandTest.report("--sizes", "1", "--mode", "LIVE");
    Matcher section =
        Pattern.compile("(?s)### Generated after Facebook, 1 %, live\\n(.*?)\\nUnder HDFS")
            .matcher(Files.readString(PAGE));
    assertTrue(section.find());
    Matcher row =
        Pattern.compile("(?m)^\\| (\\**[a-z0-9_ ]+\\**) \\|.*$").matcher(section.group(1));
    int figures = 0;
    while (row.find()) {
      String name = row.group(1).replace("*", "");
      if (ELSEWHERE.contains(name)) {
        continue;
      }
      String prefix = name.equals("the service") ? "" : name + "_";
      String[] cells = row.group().split("\\|");
      for (int i = 0; i < FIGURES.size(); i++) {
        Figure figure = FIGURES.get(i);
        JsonNode value = report.get(prefix + figure.field() + "_live_1");
        assertNotNull(value, row.group());
        assertEquals(cells[2 + i].strip(), figure.shown(value), row.group() + ": " + figure);
        figures++;
      }
    }
    assertEquals(18 * FIGURES.size(), figures);
  }
}
