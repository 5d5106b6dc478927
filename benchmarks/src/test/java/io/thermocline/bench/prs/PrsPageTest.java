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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/evidence/prs.md says is found of generated sets, and simulated: it is the same on every machine. */
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

  @Test
  void rewritesAsFastAsThePageSays() throws IOException {
    Map<String, Object> figures = new HashMap<>();
    new Evaluation(false, 1, figures).rewrites();
    assertEquals(
        "%.1f to %.1f times"
            .formatted(
                figures.get("write_again_prs_vs_created_least"),
                figures.get("write_again_prs_vs_created_most")),
        EvidencePage.of("prs.md")
            .row("rewriting with one copy more, against writing for the first time (16)")
            .get(1));
  }

  /** Figure 10 takes minutes. */
  @Tag("on-demand")
  @Test
  void simulatesWhatThePageSaysOfFigure10() throws IOException {
    Map<String, Object> figures = new HashMap<>();
    new Evaluation(false, 1, figures).figure10();
    EvidencePage page = EvidencePage.of("prs.md");
    WAYS.forEach(
        (way, name) ->
            COMPARED.forEach(
                (title, range) -> {
                  String field = range.formatted(name);
                  assertEquals(
                      List.of(
                          range(figures, field),
                          signed(figures.get(field + "_left_by_network_median_pct")) + " %",
                          figures.get(field + "_reached").equals(true) ? "yes" : "no"),
                      page.row(way + title).subList(1, 4),
                      way + title);
                }));
  }

  @Tag("on-demand")
  @Test
  void simulatesWhatThePageSaysOfTheOtherFigures() throws IOException {
    Map<String, Object> figures = new HashMap<>();
    new Evaluation(false, 1, figures).otherFigures();
    EvidencePage page = EvidencePage.of("prs.md");
    OTHERS.forEach(
        (title, fields) ->
            assertEquals(
                String.join(" / ", fields.stream().map(field -> range(figures, field)).toList()),
                page.row(title).get(1),
                title));
    List<String> applications = List.of("fileserver", "varmail", "webserver", "videoserver");
    assertEquals(
        gains(figures, applications, "three") + " / " + gains(figures, applications, "straw"),
        page.row(String.join(", ", applications) + ", against three copies / straw (12)").get(1));
  }

  /** How a row begins, and what the names of its figures have. */
  private static final Map<String, String> WAYS =
      Map.of(
          "",
          "",
          "one request at a time: ",
          "_single",
          "the paper's loading: ",
          "_paper_loading",
          "the paper's loading, one request at a time: ",
          "_paper_loading_single");

  private static final Map<String, String> COMPARED =
      Map.of(
          "groups against three copies, 1 to 512 jobs of 256 KB (10a, c)",
          "groups%s_vs_three_by_jobs",
          "groups against three copies, 16 jobs, 1 KB to 4 MB (10b, d)",
          "groups%s_vs_three_by_size",
          "layout against groups alone (10e-h)",
          "layout%s_vs_groups",
          "prs against three copies",
          "prs%s_vs_three");

  private static final Map<String, List<String>> OTHERS =
      Map.of(
          "prs against three copies, Zipf 0 to 1.2, random (11a)",
          List.of("prs_vs_three_by_skew_drawn"),
          "the same, in runs (11b)",
          List.of("prs_vs_three_by_skew_drawn_runs"),
          "1 to 16 clients, against three copies / straw (13)",
          List.of("prs_vs_three_by_clients", "prs_vs_straw_by_clients"),
          "16 clients, 16 KB to 4 MB, against sequence-based (14)",
          List.of("prs_vs_sequence"),
          "against frequency-based",
          List.of("prs_vs_frequency"),
          "against both",
          List.of("prs_vs_sequence_frequency"));

  private static String range(Map<String, Object> figures, String field) {
    return Stream.of("least", "median", "most")
            .map(which -> signed(figures.get(field + "_" + which + "_pct")))
            .collect(Collectors.joining(", "))
        + " %";
  }

  private static String gains(Map<String, Object> figures, List<String> loads, String against) {
    return loads.stream()
            .map(
                load ->
                    signed(
                        100
                            * (megabytes(figures, load + "_third")
                                    / megabytes(figures, load + "_" + against)
                                - 1)))
            .collect(Collectors.joining(", "))
        + " %";
  }

  private static double megabytes(Map<String, Object> figures, String of) {
    return ((Number) figures.get(of + "_mb_s")).doubleValue();
  }

  private static String signed(Object percent) {
    long rounded = Math.round(((Number) percent).doubleValue());
    return rounded == 0 ? "0" : String.format(Locale.ROOT, "%+,d", rounded);
  }
}
