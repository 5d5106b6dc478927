// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.demo.report.HtmlReport;
import io.thermocline.demo.report.Sample;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo's path, from the audit log to verified moves, at small scale. */
@Tag("cluster")
@Tag("alone")
class DemoTest {

  private static final Path CONFIGURATION = Launched.ROOT.resolve("conf");

  @TempDir Path directory;

  @Test
  void movesHotFilesUpAndColdFilesDown() throws Exception {
    Watching watching = new Watching();
    DemoResult result =
        new Demo(
                new DemoOptions(Optional.empty(), 0.5, 10_000, 12, 42, CONFIGURATION),
                watching,
                () -> false)
            .run();

    watching.compare();
    Map<String, Object> figures = result.record().figures();
    assertEquals(List.of(), result.problems(), figures.toString());
    assertEquals(
        List.of(
            "workload",
            "seed",
            "hadoop_version",
            "data_nodes",
            "files",
            "blocks",
            "bytes",
            "accesses_replayed",
            "accesses_failed",
            "audit_events",
            "audit_lines_malformed",
            "plans",
            "moves_planned",
            "moves_verified",
            "moves_failed",
            "moves_dropped",
            "bytes_moved",
            "fast_read_share_before",
            "fast_read_share_after",
            "fast_read_share_oracle",
            "read_mb_per_s_before",
            "read_mb_per_s_after",
            "occupancy_archive",
            "occupancy_disk",
            "occupancy_ssd",
            "occupancy_nvdimm",
            "files_changed",
            "elapsed_seconds"),
        List.copyOf(figures.keySet()));
    assertEquals("3.4.3", figures.get("hadoop_version"));
    assertTrue(number(figures, "accesses_replayed") > 9_500);
    // Each read of a file is an open in the audit log, and so are no others.
    assertTrue(number(figures, "audit_events") > number(figures, "accesses_replayed"));
    assertEquals(0, number(figures, "audit_lines_malformed"));
    assertTrue(number(figures, "moves_planned") > 50, figures.toString());
    assertEquals(number(figures, "moves_planned"), number(figures, "moves_verified"));
    assertEquals(0, number(figures, "files_changed"));
    // Less than the default run brings: the service has fewer plans to learn.
    assertTrue(
        number(figures, "fast_read_share_after") > 0.5 * number(figures, "fast_read_share_oracle"),
        figures.toString());
    assertTrue(
        number(figures, "fast_read_share_after") > 1.5 * number(figures, "fast_read_share_before"),
        figures.toString());
    assertTrue(
        number(figures, "read_mb_per_s_after") > 1.2 * number(figures, "read_mb_per_s_before"),
        figures.toString());
    assertTrue(number(figures, "occupancy_ssd") > 0.2, figures.toString());
    assertTrue(number(figures, "occupancy_archive") > 0, "cold copies went to ARCHIVE");
    assertTrue(!result.record().decisions().isEmpty());
    for (Sample sample : result.record().samples()) {
      assertTrue(
          sample.tiers().values().stream().allMatch(tier -> tier.occupancy() <= 1), "in capacity");
    }
    assertTrue(new HtmlReport().render(result.record()).contains("/warehouse/"));
  }

  @Tag("on-demand")
  @Test
  void replaysATrace() throws Exception {
    DemoOptions options =
        new DemoOptions(Optional.of(trace()), 0.5, Integer.MAX_VALUE, 12, 1, CONFIGURATION);

    DemoResult result = run(options);

    Map<String, Object> figures = result.record().figures();
    assertEquals(List.of(), result.problems(), figures.toString());
    assertEquals(60, number(figures, "files"));
    assertEquals(3_000, number(figures, "accesses_replayed"));
    assertTrue(number(figures, "moves_verified") > 0, figures.toString());
    assertTrue(
        number(figures, "fast_read_share_after") > number(figures, "fast_read_share_before"),
        figures.toString());
  }

  /** Sixty files, of which six take nine tenths of the jobs. */
  private Path trace() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder rows =
        new StringBuilder(
            "job_id\tsubmit_time_s\tmap_input_bytes\tshuffle_bytes\treduce_output_bytes\tinput_file\t"
                + "first_occurrence\n");
    for (int job = 0; job < 3_000; job++) {
      int file = job < 60 ? job : random.nextInt(10) > 0 ? random.nextInt(6) : random.nextInt(60);
      rows.append(
          "job%d\t%d\t%d\t0\t0\tfile%05d\t%d\n"
              .formatted(job, job, 1_000_000L * (1 + file % 7), file, job < 60 ? 1 : 0));
    }
    return Files.writeString(directory.resolve("trace.tsv"), rows);
  }

  private static DemoResult run(DemoOptions options) throws Exception {
    return new Demo(options, new Silent(), () -> false).run();
  }

  private static double number(Map<String, Object> figures, String key) {
    return ((Number) figures.get(key)).doubleValue();
  }

  /**
   * What the service says of the bytes that clients read since its first plan, beside what the devices counted. Before
   * that plan it knows no file's place.
   */
  private static final class Watching extends Silent {
    /** The service knows when a file was read, and when a copy came, to some seconds. */
    private static final double POINTS = 0.03;

    private String pages;
    private volatile Sample last;

    /** By type, as savings say and as counted: since the first plan, once the last read is in both. */
    private final Map<StorageType, double[]> bytes = new EnumMap<>(StorageType.class);

    @Override
    public void phase(String what) {
      if (what.startsWith("the service's pages: ")) {
        pages = what.replaceFirst(".*: (.*)/ui/", "$1");
      } else if (what.equals("finishing the moves under way")) {
        long plans = plans();
        // The plan after the last read counts it.
        Eventually.holds("two more plans", () -> plans() >= plans + 2);
        add(last, 1);
      }
    }

    @Override
    public void sample(Sample sample, String lastPlan) {
      last = sample;
      if (bytes.isEmpty() && plans() > 0) {
        add(sample, -1);
      }
    }

    private long plans() {
      return savings().path("plans").asLong();
    }

    private JsonNode savings() {
      try (InputStream in = URI.create(pages + "/api/v1/savings?limit=1").toURL().openStream()) {
        return new ObjectMapper().readTree(in).at("/items/0");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void add(Sample counted, int sign) {
      savings()
          .path("served")
          .forEach(
              one ->
                  of(StorageType.valueOf(one.path("type").asText()))[0] +=
                      sign * one.path("servedBytes").asDouble());
      counted.tiers().forEach((type, tier) -> of(type)[1] += sign * (double) tier.bytesReadTotal());
    }

    private double[] of(StorageType type) {
      return bytes.computeIfAbsent(type, any -> new double[2]);
    }

    void compare() {
      double said = bytes.values().stream().mapToDouble(each -> each[0]).sum();
      double counted = bytes.values().stream().mapToDouble(each -> each[1]).sum();
      String all =
          bytes.entrySet().stream()
              .map(
                  each ->
                      String.format(
                          Locale.ROOT,
                          "%s: said %.1f %%, counted %.1f %%",
                          each.getKey(),
                          100 * each.getValue()[0] / said,
                          100 * each.getValue()[1] / counted))
              .toList()
              .toString();
      for (double[] type : bytes.values()) {
        assertEquals(type[1] / counted, type[0] / said, POINTS, all);
      }
    }
  }

  private static class Silent implements View {
    @Override
    public void phase(String what) {}

    @Override
    public void progress(String what, long done, long total) {}

    @Override
    public void sample(Sample sample, String lastPlan) {}

    @Override
    public void conclude(String text) {}

    @Override
    public void close() {}
  }
}
