// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import static io.thermocline.bench.EvidencePage.assertFigure;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.bench.EvidencePage;
import io.thermocline.tiering.app.groups.FoundSets;
import io.thermocline.tiering.app.groups.GeneratedSets;
import io.thermocline.tiering.classify.groups.MiningSettings;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What docs/evidence/prs.md says is found of generated sets, found again: it is the same on every machine. */
class PrsPageTest {
  private static final String OWN =
      "1, 8, 32, 128, 512 and 2,048 clients at addresses of their own";
  private static final String GATEWAY = "8 and 128 users behind one address";

  private static final Map<String, String> ROWS = new HashMap<>();

  static {
    List.of("1", "8", "32", "128", "512", "2048").forEach(clients -> ROWS.put(clients, OWN));
    List.of("gateway_8", "gateway_128").forEach(clients -> ROWS.put(clients, GATEWAY));
    ROWS.put("unmarked_128", "128 clients, one user, one address, no caller context");
    ROWS.put("singles_128", "128 clients, four of five reads of single files");
    ROWS.put("skipping_128", "128 clients that leave out one file in ten");
    ROWS.put(
        "sharing_128",
        "128 clients, each set has one file in common with the next and one with the set before");
    ROWS.put(
        "weekly_128",
        "128 clients, eight weeks, in each of which a set has new files and is read four times on average");
  }

  @Test
  void findsWhatThePageSays() throws IOException {
    EvidencePage page = EvidencePage.of("prs.md");
    Map<String, GeneratedSets> all = PrsCommand.sets(1);
    assertEquals(ROWS.keySet(), all.keySet());
    all.forEach(
        (name, sets) -> {
          FoundSets found = FoundSets.of(sets, MiningSettings.ofFiles());
          List<String> cells = page.row(ROWS.get(name));
          assertFigure(cells.get(0), found.foundPercent(), name + " found");
          assertFigure(cells.get(1), found.wrongPercent(), name + " wrong");
          assertEquals(
              cells.get(2).replace(" each", ""),
              String.format(Locale.ROOT, "%,d of %,d", found.whole(), found.sets()),
              name);
        });
  }
}
