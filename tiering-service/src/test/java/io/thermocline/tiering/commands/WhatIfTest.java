// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.config.ClusterFile;
import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.Traces;
import io.thermocline.tiering.sim.policy.Policies;
import io.thermocline.tiering.sim.report.Comparison;
import io.thermocline.tiering.sim.report.HtmlReport;
import io.thermocline.tiering.sim.report.JsonReport;
import io.thermocline.tiering.sim.report.TextReport;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class WhatIfTest {

  @TempDir private Path directory;

  private Comparison comparison(long seed) throws Exception {
    Path cluster =
        Files.writeString(
            directory.resolve("cluster.yaml"),
            """
            racks: 2
            nodesPerRack: 2
            blockSize: 4 B
            tiers:
              DISK:
                capacity: 1 MB
                readMegabytesPerSecond: 100
                writeMegabytesPerSecond: 100
                seekMs: 8
              SSD:
                capacity: 20 B
                readMegabytesPerSecond: 1000
                writeMegabytesPerSecond: 1000
                flash: yes
            """);
    List<String> progress = new ArrayList<>();
    Comparison comparison =
        new WhatIf(
                Traces.random(3, 40, 400, 9),
                ClusterFile.read(cluster),
                MoveMode.LIVE,
                seed,
                () -> 0)
            .compare(
                List.of(
                    Policies.oracle(), Policies.baselines().get(0), Policies.baselines().get(2)),
                List.of(0.5, 2.0),
                progress::add);
    assertEquals(9, progress.size());
    return comparison;
  }

  @Test
  void moreFastStorageHitsMoreAndLowersLatency() throws Exception {
    Comparison comparison = comparison(1);

    assertEquals(List.of(40L, 80L, 160L), comparison.sizes());
    assertEquals(
        List.of("oracle", "stock", "lru"),
        comparison.asItIs().stream().map(row -> row.name()).toList());
    double small = comparison.rows().get(2).result().hitShare(1);
    double large = comparison.rows().get(8).result().hitShare(1);
    assertTrue(small > 0 && large > small, small + ", " + large);
    double stock = comparison.asItIs().get(1).result().latency().mean();
    double oracle = comparison.asItIs().get(0).result().latency().mean();
    assertTrue(oracle < stock, oracle + ", " + stock);
  }

  @Test
  void theSeedGivesTheSameFiguresAgain() throws Exception {
    assertEquals(JsonReport.of(comparison(5)), JsonReport.of(comparison(5)));
    assertFalse(JsonReport.of(comparison(5)).equals(JsonReport.of(comparison(6))));
  }

  @Test
  void allReportsSayTheSame() throws Exception {
    Comparison comparison = comparison(1);
    Path page = directory.resolve("reports/what-if.html");

    HtmlReport.write(comparison, page);

    String html = Files.readString(page);
    JsonNode json = new ObjectMapper().readTree(JsonReport.of(comparison));
    String hits = "%.1f %%".formatted(json.at("/runs/5/hit_share/SSD").asDouble() * 100);
    assertEquals("lru", json.at("/runs/5/policy").asText());
    assertEquals(9, json.get("runs").size());
    assertTrue(
        TextReport.of(comparison).lines().anyMatch(l -> l.startsWith("LRU ") && l.contains(hits)));
    assertTrue(html.contains("<td>" + hits + "</td>"), hits);
    assertEquals(4, html.split("<svg ").length - 1);
    assertFalse(html.contains("NaN"), "a number is missing");
    assertFalse(html.contains("{{"), "a place was left empty");
    assertFalse(html.contains("://"), "it needs the network");
    // Each chart is well-formed, and draws every policy.
    for (String svg : html.split("(?=<svg )")) {
      if (svg.startsWith("<svg ")) {
        Document drawn =
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(
                    new InputSource(new StringReader(svg.substring(0, svg.indexOf("</svg>") + 6))));
        assertEquals(3, drawn.getElementsByTagName("g").getLength());
        assertEquals(9, drawn.getElementsByTagName("circle").getLength());
      }
    }
  }
}
