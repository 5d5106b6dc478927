// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.bench.EvidencePage;
import io.thermocline.tiering.classify.Accesses;
import io.thermocline.tiering.classify.Taxonomy;
import io.thermocline.tiering.config.ChewConfig;
import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.config.ConfigException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bench chew} in short; the whole is in docs/evidence/chew.md. */
class ChewBenchTest {
  private static final Path REAL =
      Path.of("../../shared/traces/block-cloudphysics/cloudPhysicsIO.csv.gz");

  private static final Map<String, String> POLICIES =
      Map.of(
          "iops", "IOPS-only",
          "edt", "EDT",
          "iops_window", "IOPS, our window and margin",
          "chew", "ChewAnalyzer",
          "chewplus", "ChewAnalyzer++");

  private final ChewConfig config;

  ChewBenchTest() throws ConfigException {
    config = ChewFile.read(Path.of("../conf/chew.yaml"));
  }

  private static double of(Map<String, Object> report, String field) {
    return ((Number) report.get(field)).doubleValue();
  }

  @Test
  void findsWhatThePageSaysOfTheProxyTrace() throws IOException {
    comparesWithThePage("prxy_0");
  }

  @Tag("on-demand")
  @ParameterizedTest
  @ValueSource(strings = {"proj_2", "hadoop13", "backup15"})
  void findsWhatThePageSaysOfTheOtherTraces(String trace) throws IOException {
    comparesWithThePage(trace);
  }

  @Test
  void findsWhatThePageSaysOfAnotherProxyTrace() throws IOException {
    comparesWithThePageOfSeed2("prxy_0", "(\\d+) and (\\d+) % below IOPS-only on prxy_0,");
  }

  @Tag("on-demand")
  @ParameterizedTest
  @ValueSource(strings = {"proj_2", "hadoop13", "backup15"})
  void findsWhatThePageSaysOfOthersOfTheOtherTraces(String trace) throws IOException {
    comparesWithThePageOfSeed2(trace, "(\\d+) and (\\d+) on " + trace + "\\b");
  }

  /** The sentence on seed 2. */
  private void comparesWithThePageOfSeed2(String trace, String words) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "evidence", "chew.md"));
    Matcher said =
        Pattern.compile(words)
            .matcher(page.substring(page.indexOf("With seed 2")).replaceAll("\\s+", " "));
    assertTrue(said.find(), words);
    Map<String, Object> report = replayed(trace, 2);
    assertEquals(
        List.of(said.group(1), said.group(2)),
        List.of(
            "%.0f".formatted(100 * of(report, trace + "_chewplus_latency_below_iops")),
            "%.0f".formatted(100 * of(report, trace + "_chewplus_moved_below_iops"))));
  }

  private Map<String, Object> replayed(String trace, long seed) {
    TraceModel model =
        TraceModel.ALL.stream().filter(one -> one.name().equals(trace)).findFirst().orElseThrow();
    Map<String, Object> report = new TreeMap<>();
    ChewCommand.replay(GeneratedTrace.of(model, ChewCommand.EPOCHS, seed), config, report);
    return report;
  }

  /** Every figure of a trace's rows: all of them are the same on every machine. */
  private void comparesWithThePage(String trace) throws IOException {
    Map<String, Object> report = replayed(trace, 1);
    EvidencePage page = EvidencePage.of("chew.md");
    POLICIES.forEach(
        (policy, title) -> {
          String field = trace + "_" + policy + "_";
          assertEquals(
              List.of(
                  "%.3f".formatted(of(report, field + "latency_ms")),
                  "%.0f".formatted(of(report, field + "moved_gb")),
                  against(of(report, field + "latency_below_iops")),
                  against(of(report, field + "moved_below_iops")),
                  "%.0f / %.0f / %.0f"
                      .formatted(
                          100 * of(report, field + "scm_writes"),
                          100 * of(report, field + "ssd_writes"),
                          100 * of(report, field + "hdd_writes")),
                  "%.1f".formatted(100 * of(report, field + "hdd_requests")),
                  "%.0f".formatted(100 * of(report, field + "overwritten_share"))),
              page.row(trace, title),
              field);
        });
  }

  private static String against(double below) {
    String percent = "%+.1f".formatted(-100 * below);
    return percent.endsWith("0.0") && percent.length() == 4 ? "0.0" : percent;
  }

  @Test
  void beatsRankingByRequestsOnAnotherTraceOfTheSameKind() {
    Map<String, Object> report = new TreeMap<>();
    ChewCommand.replay(GeneratedTrace.of(TraceModel.PRXY_0, 16, 7), config, report);
    assertTrue(of(report, "prxy_0_chewplus_latency_below_iops") >= 0.35, report.toString());
    assertTrue(of(report, "prxy_0_chewplus_moved_below_iops") >= 0.64, report.toString());
    assertTrue(
        of(report, "prxy_0_chewplus_latency_ms") < of(report, "prxy_0_chew_latency_ms"),
        report.toString());
    // Section 3.5: most writes to memory, and fewer to flash than plain.
    assertTrue(
        of(report, "prxy_0_chewplus_ssd_writes") < of(report, "prxy_0_chew_ssd_writes"),
        report.toString());
  }

  @Test
  void replaysTheSameToTheSameResult() {
    BlockTrace trace = GeneratedTrace.of(TraceModel.PRXY_0, 4, 3);
    Map<String, Object> once = new TreeMap<>();
    Map<String, Object> again = new TreeMap<>();
    ChewCommand.replay(trace, config, once);
    ChewCommand.replay(GeneratedTrace.of(TraceModel.PRXY_0, 4, 3), config, again);
    assertEquals(once, again);
  }

  /** Table 3.3, by chunks of 256 MB, for the traces that the paper tells enough of. */
  @Test
  void generatesWhatTheTablesSay() {
    for (TraceModel model : TraceModel.ALL) {
      BlockTrace trace = GeneratedTrace.of(model, 8, 5);
      int chunks = (int) (model.volumeBytes() / Extents.CHUNK);
      long[] requests = new long[chunks];
      double reads = 0;
      double readBytes = 0;
      double bytes = 0;
      for (BlockRequest request : trace.requests()) {
        requests[(int) (request.offset() / Extents.CHUNK)]++;
        reads += request.write() ? 0 : 1;
        readBytes += request.write() ? 0 : request.bytes();
        bytes += request.bytes();
      }
      Arrays.sort(requests);
      double all = Arrays.stream(requests).sum();
      double top5 = 0;
      double top20 = 0;
      for (int i = 0; i < chunks; i++) {
        top5 += i < Math.ceil(0.05 * chunks) ? requests[chunks - 1 - i] : 0;
        top20 += i < Math.ceil(0.2 * chunks) ? requests[chunks - 1 - i] : 0;
      }
      String name = model.name();
      // Chunks that changed places count with what they had before, so the tails are a little
      // thicker.
      assertEquals(model.top5Requests(), top5 / all, 0.08, name);
      assertEquals(model.top20Requests(), top20 / all, 0.08, name);
      assertEquals(READS.get(name), reads / all, 0.06, name);
      assertEquals(READ_BYTES.get(name), readBytes / bytes, 0.04, name);
    }
  }

  /** Share of reads in requests, from the ratio of reads to writes in table 3.3. */
  private static final Map<String, Double> READS =
      Map.of(
          "prxy_0", 0.03 / 1.03,
          "proj_2", 7.07 / 8.07,
          "hadoop13", 4.17 / 5.17,
          "backup15", 1.55 / 2.55);

  /** Share of reads in bytes, from the same table. */
  private static final Map<String, Double> READ_BYTES =
      Map.of(
          "prxy_0", 3.04 / (3.04 + 53.80),
          "proj_2", 1015.95 / (1015.95 + 168.68),
          "hadoop13", 189.31 / (189.31 + 422.31),
          "backup15", 161.98 / (161.98 + 194.9));

  /** Table 3.4, the proxy: shares of all chunks in an epoch, by rule 4. */
  @Test
  void writesAsTheTableSays() {
    BlockTrace trace = GeneratedTrace.of(TraceModel.PRXY_0, 8, 5);
    assertWrites(trace, 1L << 30, 0.6748, 0.1334);
    assertWrites(trace, 128L << 20, 0.4966, 0.0808);
  }

  private static void assertWrites(BlockTrace trace, long bytes, double random, double again) {
    Map<Taxonomy.Pattern, Integer> found = new EnumMap<>(Taxonomy.Pattern.class);
    double all = 8.0 * TraceModel.PRXY_0.volumeBytes() / bytes;
    ExtentCounter counter = new ExtentCounter(bytes);
    double end = trace.epochSeconds();
    for (BlockRequest request : trace.requests()) {
      if (request.seconds() >= end) {
        count(counter, bytes, found);
        counter = new ExtentCounter(bytes);
        end += trace.epochSeconds();
      }
      counter.count(request.write(), request.offset(), request.bytes());
    }
    count(counter, bytes, found);
    String text = bytes + " bytes, of " + all + ": " + found;
    assertEquals(0, found.getOrDefault(Taxonomy.Pattern.SEQUENTIAL_WRITE, 0) / all, 0.01, text);
    assertEquals(random, found.get(Taxonomy.Pattern.FULLY_RANDOM_WRITE) / all, 0.15, text);
    assertEquals(again, found.get(Taxonomy.Pattern.OVERWRITTEN) / all, 0.03, text);
  }

  private static void count(
      ExtentCounter counter, long bytes, Map<Taxonomy.Pattern, Integer> found) {
    for (Accesses one : counter.accesses().values()) {
      found.merge(
          Taxonomy.STANDARD.writes(ChewPolicy.activity("", bytes, "", one, Duration.ofSeconds(1))),
          1,
          Integer::sum);
    }
  }

  @Test
  void rankingMovesTierByTier() {
    // One chunk becomes the busiest of all: through SSD it is copied twice, by patterns once.
    List<BlockRequest> requests = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      requests.add(new BlockRequest(i, true, (i % 97) * 4096L, 4096));
    }
    BlockTrace trace = new BlockTrace("one", requests, Extents.CHUNK, Extents.CHUNK, 100);
    long ranked = ChewReplay.run(trace, RankedTiering.byRequests("iops", 1, 0)).movedBytes();
    assertEquals(2 * Extents.CHUNK, ranked);
    long chew = ChewReplay.run(trace, ChewPolicy.plain(config.library(), 1)).movedBytes();
    assertEquals(Extents.CHUNK, chew);
  }

  /** The same way as the real one, whose results {@link #beatsRankingByRequestsOnAnotherTraceOfTheSameKind} has counterparts of. */
  @Test
  void readsAGeneratedTrace(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("trace.csv.gz");
    List<BlockRequest> expected = GeneratedTrace.of(TraceModel.PRXY_0, 2, 7).requests();
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      out.write("time_us,op,offset_bytes,size_bytes\n");
      for (BlockRequest request : expected) {
        out.write(
            "%d,%s,%d,%d\n"
                .formatted(
                    5_633_898_368_802L + Math.round(request.seconds() * 1e6),
                    request.write() ? "W" : "R",
                    request.offset(),
                    request.bytes()));
      }
    }
    List<BlockRequest> read = CloudPhysics.read(file);
    assertEquals(expected.size(), read.size());
    double first = expected.get(0).seconds();
    for (int i = 0; i < read.size(); i++) {
      assertEquals(expected.get(i).offset(), read.get(i).offset());
      assertEquals(expected.get(i).write(), read.get(i).write());
      assertEquals(expected.get(i).seconds() - first, read.get(i).seconds(), 2e-6);
    }
  }

  @Test
  void readsTheRealTrace() throws IOException {
    Assumptions.assumeTrue(Files.exists(REAL), "no traces beside the project");
    List<BlockRequest> requests = CloudPhysics.read(REAL);
    assertEquals(113_872, requests.size());
    assertEquals(0, requests.get(0).seconds());
    assertEquals(new BlockRequest(0, true, 21_981_565_440L, 512), requests.get(0));
    Map<String, Object> report = new TreeMap<>();
    ChewCommand.replay(new BlockTrace("real", requests, 2L << 30, 10L << 30, 1200), config, report);
    assertTrue(of(report, "real_chewplus_latency_below_iops") >= 0.35, report.toString());
    assertTrue(of(report, "real_chewplus_moved_below_iops") >= 0.35, report.toString());
  }
}
