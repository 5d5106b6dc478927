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

  /** The third size. */
  private static final int CELL = 4;

  private static final List<String> FIGURES =
      List.of("hit_share_of_oracle", "byte_hit_share_of_oracle", "bytes_moved_vs_oracle");

  /** Rows of {@code --parts}, which takes as long as all the others; and what the others are shares of. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "thresholds_only",
          "learned_only",
          "no_gate",
          "no_residency",
          "every_1m",
          "oracle itself");

  @Tag("slow")
  @Test
  void thePageHasTheFiguresOfGeneratedReads() throws Exception {
    JsonNode report = TieringCommandTest.report("--sizes", "1");
    String page = Files.readString(PAGE);
    int figures = 0;
    for (String mode : List.of("live", "immediate")) {
      Matcher section =
          Pattern.compile("(?s)### Generated reads, " + mode + "\\n(.*?)\\n#").matcher(page);
      assertTrue(section.find(), mode);
      Matcher row =
          Pattern.compile("(?m)^\\| (\\**[a-z0-9_ ]+\\**) \\|.*$").matcher(section.group(1));
      while (row.find()) {
        String name = row.group(1).replace("*", "");
        if (ELSEWHERE.contains(name)) {
          continue;
        }
        String prefix = name.equals("the service") ? "" : name + "_";
        String[] cells = row.group().split("\\|")[CELL].split("/");
        for (int i = 0; i < FIGURES.size(); i++) {
          JsonNode figure = report.get(prefix + FIGURES.get(i) + "_" + mode + "_1");
          assertNotNull(figure, mode + ": " + row.group());
          String shown = cells[i].strip();
          String format = i == 0 ? "%.3f" : "%.2f";
          assertEquals(
              shown,
              String.format(Locale.ROOT, format, figure.asDouble()),
              mode + ": " + row.group() + ": " + figure);
          figures++;
        }
      }
    }
    assertEquals(105, figures);
  }
}
