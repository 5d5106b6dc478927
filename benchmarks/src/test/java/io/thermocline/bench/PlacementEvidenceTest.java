// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/evidence/placement.md: its tables say what its JSON lines say. */
class PlacementEvidenceTest {
  private static final Path PAGE = Path.of("..", "docs", "evidence", "placement.md");

  @Test
  void tablesAreTheFiguresOfTheRuns() throws IOException {
    String[] sections = Files.readString(PAGE).split("(?m)^## ");
    int cells = 0;
    for (String section : List.of(sections).subList(1, sections.length)) {
      Set<String> figures = new HashSet<>();
      json(section).forEach(value -> figures.add(value.asText()));
      Matcher row = Pattern.compile("(?m)^\\| .*\\|$").matcher(section);
      for (boolean head = true; row.find(); head = false) {
        String[] parts = row.group().split("\\|");
        for (int i = 2; !head && i < parts.length; i++) {
          for (String figure : parts[i].split("/")) {
            if (!figure.isBlank() && figure.strip().matches("[-+0-9.eE]+")) {
              assertTrue(figures.contains(figure.strip()), figure + " in: " + row.group());
              cells++;
            }
          }
        }
      }
    }
    assertTrue(cells > 80, "only " + cells + " figures were found");
  }

  private static JsonNode json(String section) throws IOException {
    Matcher block = Pattern.compile("(?s)```json\\n(.*?)\\n```").matcher(section);
    assertTrue(block.find(), "no JSON in: " + section.substring(0, 60));
    return new ObjectMapper().readTree(block.group(1));
  }
}
