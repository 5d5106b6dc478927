// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.bench.EvidencePage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class SuoraBenchTest {
  private static final double SSD_LATENCY = 100e-6;

  /** Of the page's table. */
  private static final int COLUMNS = 9;

  private static final Workloads SMALL = new Workloads(20, 128, 1);

  private static Workload named(List<Workload> workloads, String field) {
    return workloads.stream().filter(each -> each.field().equals(field)).findFirst().orElseThrow();
  }

  private static Outcome run(Workload workload, Placement placement) {
    return new Scenario(Testbed.of(SSD_LATENCY, 1), workload).run(placement, 1);
  }

  /** The row of docs/evidence/suora.md that is simulated soonest. */
  @Test
  void findsWhatThePageSaysOfOneRequestAtATime() throws IOException {
    comparesWithThePage("one_by_one");
  }

  /** Of minutes. */
  @Tag("on-demand")
  @ParameterizedTest
  @MethodSource("fields")
  void findsWhatThePageSaysOfEachWorkload(String field) throws IOException {
    comparesWithThePage(field);
  }

  static List<String> fields() {
    return Scenario.all(false, SSD_LATENCY, 1).stream()
        .map(scenario -> scenario.workload().field())
        .toList();
  }

  /** Every figure of a workload's row: all of them are the same on every machine. */
  private static void comparesWithThePage(String field) throws IOException {
    Results results = new Results();
    for (long seed = 1; seed <= 3; seed++) {
      for (Scenario scenario : Scenario.all(false, SSD_LATENCY, seed)) {
        if (scenario.workload().field().equals(field)) {
          for (Placement placement : Placement.values()) {
            results.add(field, placement, scenario.run(placement, seed));
          }
        }
      }
    }
    List<String> cells = EvidencePage.of("suora.md").row(COLUMNS, field);
    List<Double> found = new ArrayList<>();
    for (Placement placement :
        List.of(
            Placement.SUORA, Placement.SUORA_OFF, Placement.CH, Placement.STRAW, Placement.SSD)) {
      found.add(results.of(field, placement).megabytesPerSecond());
    }
    Outcome suora = results.of(field, Placement.SUORA);
    found.add(suora.improvement(results.of(field, Placement.CH)));
    found.add(100 * suora.ssdReads());
    found.add(100 * suora.movedShare());
    assertEquals(cells.size(), found.size(), cells::toString);
    for (int i = 0; i < found.size(); i++) {
      EvidencePage.assertFigure(cells.get(i), found.get(i), field + ", column " + (i + 1));
    }
  }

  /** Equal nodes of a bucket: within five standard deviations. */
  @Test
  void replicasStartInTheBottomBucketsInProportionToCapacity() {
    int objects = 20_000;
    ObjectStore store =
        new SuoraStore(
            Testbed.of(SSD_LATENCY, 1), new SuoraStore.Watermarks(0.1, 0.2), objects, true, 1);
    int[] held = new int[Testbed.NODES];
    for (int object = 0; object < objects; object++) {
      for (int node : store.nodes(object)) {
        held[node]++;
      }
    }
    double mean = (double) objects / Testbed.NODES_OF_A_BUCKET;
    double deviation = Math.sqrt(mean * (1 - 1.0 / Testbed.NODES_OF_A_BUCKET));
    for (int node = 0; node < Testbed.NODES; node++) {
      double expected = node < Testbed.FIRST_SSD ? mean : 0;
      assertEquals(expected, held[node], 5 * deviation * (expected > 0 ? 1 : 0), "node " + node);
    }
  }

  @Test
  void aReadGoesToTheFastestReplicaAndHotObjectsGetOneOnAnSsd() {
    ObjectStore store =
        new SuoraStore(Testbed.of(SSD_LATENCY, 1), new SuoraStore.Watermarks(0.1, 0.2), 8, true, 1);
    SplittableRandom random = new SplittableRandom(1);
    assertEquals(1, Testbed.bucketOf(store.read(0, random)));
    for (int i = 1; i < 29; i++) {
      store.read(0, random);
    }
    assertTrue(store.plan().isEmpty(), "29 reads");
    store.read(0, random);
    List<ObjectStore.Copying> copies = store.plan();
    assertEquals(1, copies.size());
    // From the fastest of where it started, straight to the SSDs (algorithm 3).
    assertEquals(1, Testbed.bucketOf(copies.get(0).from()));
    assertEquals(2, Testbed.bucketOf(copies.get(0).to()));
    store.copied(copies.get(0));
    assertEquals(copies.get(0).to(), store.read(0, random));
    assertTrue(store.plan().isEmpty(), "a plan after the moves");
  }

  /** In equation 3 one device works at a time: 3 / (1/95 + 1/176 + 1/500) and 176 MB/s, and then the link. */
  @Test
  void oneByOneIsEquationThree() {
    // So many objects that which of them are hot matters little to consistent hashing.
    Workload workload = new Workloads(160, 128, 1).oneByOne();
    Scenario scenario = new Scenario(Testbed.ofBandwidths(), workload);
    double consistent = scenario.run(Placement.CH, 1).megabytesPerSecond();
    double off = scenario.run(Placement.SUORA_OFF, 1).megabytesPerSecond();
    double suora = scenario.run(Placement.SUORA, 1).megabytesPerSecond();
    double ssd = scenario.run(Placement.SSD, 1).megabytesPerSecond();
    assertEquals(1 / (1 / 176.0 + 1 / 1250.0), off, 1e-6);
    assertEquals(1 / (1 / 500.0 + 1 / 1250.0), ssd, 1e-6);
    double equation = (1 / 95.0 + 1 / 176.0 + 1 / 500.0) / 3;
    assertEquals(1 / (equation + 1 / 1250.0), consistent, 0.05 * consistent);
    assertTrue(
        ssd > suora && suora > off && off > consistent, suora + " " + off + " " + consistent);
  }

  @Test
  void skewedReadsAreFasterFromSsds() {
    for (Workload workload :
        List.of(
            named(SMALL.bySize(), "size_4kb"),
            named(SMALL.bySize(), "size_1024kb"),
            named(SMALL.byPattern("pattern_"), "pattern_ior"),
            named(SMALL.bySkew(), "zipf_1p2"))) {
      double suora = run(workload, Placement.SUORA).megabytesPerSecond();
      double off = run(workload, Placement.SUORA_OFF).megabytesPerSecond();
      double consistent = run(workload, Placement.CH).megabytesPerSecond();
      double straw = run(workload, Placement.STRAW).megabytesPerSecond();
      assertTrue(
          suora > off && suora > consistent && suora > straw,
          workload.field() + ": " + suora + " " + off + " " + consistent + " " + straw);
    }
  }

  @Test
  void whatIsReadLessThanTheThresholdStays() {
    Workload uniform = named(SMALL.bySkew(), "zipf_0p0");
    assertTrue(run(uniform, Placement.SUORA).movedShare() < 0.05);
    assertEquals(0, run(uniform, Placement.SUORA_OFF).movedShare());
    assertEquals(0, run(uniform, Placement.CH).movedShare());
  }

  /** The second data set's hot objects take the place of the first one's, and the lower watermark is kept. */
  @Test
  void coldObjectsMakeRoom() {
    Workload workload = named(SMALL.applications(), "fileserv_10to1");
    Testbed testbed = Testbed.of(SSD_LATENCY, 128);
    ObjectStore store = Placement.SUORA.store(testbed, workload, 1);
    Outcome outcome = ClosedLoop.run(testbed, store, workload, 1);
    assertTrue(outcome.demotionsPerObject() > 0, "demotions");
    long onSsds = 0;
    for (int object = 0; object < workload.objects(); object++) {
      for (int node : store.nodes(object)) {
        onSsds += node >= Testbed.FIRST_SSD ? Testbed.OBJECT_BYTES : 0;
      }
    }
    long capacity = Testbed.NODES_OF_A_BUCKET * testbed.capacity(Testbed.FIRST_SSD);
    assertTrue(onSsds <= 0.1 * capacity, onSsds + " of " + capacity);
    assertTrue(onSsds > 0.05 * capacity, onSsds + " of " + capacity);
  }

  @Test
  void theSameSeedGivesTheSameOutcome() {
    Workload workload = named(SMALL.applications(), "varmail_1to1");
    Scenario scenario = new Scenario(Testbed.of(SSD_LATENCY, 128), workload);
    Outcome first = scenario.run(Placement.SUORA, 7);
    assertEquals(first, scenario.run(Placement.SUORA, 7));
    assertNotEquals(first, scenario.run(Placement.SUORA, 8));
  }

  @Test
  void popularityIsThatOfTheTable() {
    Workload workload = named(SMALL.byPattern("pattern_"), "pattern_fio_randread");
    Popularity objects = workload.dataSets().get(0);
    SplittableRandom random = new SplittableRandom(3);
    int[] reads = new int[objects.objects()];
    for (long i = 0; i < objects.reads(); i++) {
      reads[objects.pick(random)]++;
    }
    long unread = 0;
    for (int count : reads) {
      unread += count == 0 ? 1 : 0;
    }
    // 55.58 % by the table; of those with a read or two some are not drawn.
    assertEquals(0.5558, (double) unread / objects.objects(), 0.03);
  }

  @Tag("slow")
  @Test
  void theCommandPrintsOneJsonLineAndWritesThePage(@TempDir Path directory) throws Exception {
    Path page = directory.resolve("suora.html");
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status;
    try {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      status = new CommandLine(new SuoraCommand()).execute("--quick", "--report", page.toString());
    } finally {
      System.setOut(before);
    }
    String[] lines = out.toString(StandardCharsets.UTF_8).split("\n");
    assertEquals(0, status, () -> String.join("\n", lines));
    JsonNode report = new ObjectMapper().readTree(lines[lines.length - 1]);
    assertEquals("suora", report.get("benchmark").asText());
    for (Scenario scenario : Scenario.all(true, SSD_LATENCY, 1)) {
      String field = scenario.workload().field();
      for (Placement placement : Placement.values()) {
        assertTrue(report.path(field + "_" + placement.field() + "_mb_s").asDouble() > 0, field);
      }
      assertTrue(report.path("improvement_" + field + "_suora_vs_ch_pct").isNumber(), field);
      assertTrue(report.path("moved_share_" + field).isNumber(), field);
    }
    assertTrue(report.get("improvement_size_1024kb_suora_vs_ch_pct").asDouble() > 100);
    String html = Files.readString(page);
    assertTrue(html.contains("<svg"), "curves");
    assertFalse(html.contains("{{"), "what is left to fill in");
  }
}
