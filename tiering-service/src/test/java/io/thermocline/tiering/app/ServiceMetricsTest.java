// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Localhost;
import io.thermocline.tiering.app.groups.GroupNumbers;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.heat.HeatHealth;
import io.thermocline.tiering.hints.HintTotals;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.metrics.Metrics;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.readorder.NodeDifference;
import io.thermocline.tiering.shadow.ShadowLedger;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The names of metrics, and the documents that hold them. */
class ServiceMetricsTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `(thermocline_\\w+)` \\| (\\w+) \\| (?:`(\\w+)`(?:, `(\\w+)`)?)? ?\\| .+ \\|$");
  private static final Pattern NAME = Pattern.compile("\\b(thermocline_\\w+|jvm_\\w+)");

  private static final LineCounts LINES =
      new LineCounts(10, 6, 3, 1, new LineCounts.Opens(20, 2, 1, 7, 3, 2, 1, 5, 4), 8, 4, 5);

  private final ServiceMetrics numbers =
      new ServiceMetrics(
          new ServiceMetrics.Sources(
              ServiceMetricsTest::status,
              () -> LINES,
              () -> NOW.minusMillis(1500).toEpochMilli(),
              () -> Completeness.UNKNOWN,
              () -> Map.of("ns", Completeness.UNKNOWN, "ns2", new Completeness(2000, 1500, 0)),
              () -> new HeatHealth(7, 100, 0, 0.5, 0.01, 3, 0),
              () -> null,
              () -> 2,
              () -> new Journal.Size(11, 4096),
              () -> 0,
              () -> new ShadowLedger.Totals(3, 300),
              () -> Set.of("cluster"),
              () -> Duration.ofMillis(1500),
              () -> new Throttle(4, 16, 3, 2, 1, 4, 9, ""),
              () -> 3,
              () -> new ServiceMetrics.Hinted(new HintTotals(5, 0.75, 8, 2), 6),
              () ->
                  new GroupNumbers(
                      new GroupNumbers.Kind(2, 7, 700, 1000),
                      new GroupNumbers.Kind(1, 2, 50, 0),
                      new GroupNumbers.Life(4, 1, Map.of(GroupNumbers.End.CHANGED, 3L)),
                      12),
              Clock.fixed(NOW, ZoneOffset.UTC)));
  private final Metrics metrics = numbers.metrics();

  private static ServiceStatus status() {
    return new ServiceStatus(
        LINES,
        42,
        3,
        100,
        5,
        Map.of(StorageType.SSD, new ClusterView.Occupancy(30, 100)),
        Map.of(),
        new ServiceStatus.Moves(9, 1, 6, 1, 1, 1234),
        new ServiceStatus.Transfers(1, 2, 3, 4),
        List.of(),
        List.of(),
        "",
        "",
        "",
        "",
        "",
        Optional.of(
            new NodeDifference.Known(0.125, Optional.empty(), 1, 4, Instant.EPOCH, Instant.EPOCH)));
  }

  @Test
  void eachNumberIsFoundUnderItsName() {
    numbers.took("plan", 2_000_000_000L);
    numbers.answered("GET /plans", 200, 5_000_000L);

    String text = metrics.text();

    for (String line :
        List.of(
            "thermocline_observe_lines_total{outcome=\"parsed\"} 6.0",
            "thermocline_observe_opens_total 20.0",
            "thermocline_observe_reads_left_out_total{reason=\"maintenance\"} 7.0",
            "thermocline_observe_reads_left_out_total{reason=\"other_nameservice\"} 4.0",
            "thermocline_observe_reads_left_out_total{reason=\"own_user\"} 3.0",
            "thermocline_observe_reads_left_out_total{reason=\"refused\"} 1.0",
            "thermocline_observe_reads_left_out_total{reason=\"scan\"} 1.0",
            "thermocline_observe_reads_left_out_total{reason=\"second_open\"} 2.0",
            "thermocline_observe_reads_left_out_total{reason=\"redirected\"} 5.0",
            "thermocline_observe_gaps_total 5.0",
            "thermocline_observe_lag_seconds 1.5",
            "thermocline_observe_completeness_ratio NaN",
            "thermocline_observe_nameservice_completeness_ratio{nameservice=\"ns2\"} 0.75",
            "thermocline_observe_served_difference_ratio 0.125",
            "thermocline_heat_reads_total 42.0",
            "thermocline_heat_files_capacity 100.0",
            "thermocline_plan_failures_total 2.0",
            "thermocline_plan_decisions{cause=\"PROMOTED\"} 0.0",
            "thermocline_files{kind=\"left_alone\"} 5.0",
            "thermocline_storage_used_bytes{type=\"SSD\"} 30.0",
            "thermocline_moves_total{state=\"verified\"} 6.0",
            "thermocline_moved_bytes_total 1234.0",
            "thermocline_shadow_bytes_total 300.0",
            "thermocline_journal_bytes 4096.0",
            "thermocline_plan_seconds_bucket{phase=\"plan\",le=\"3.0\"} 1",
            "thermocline_moves_blocked{reason=\"cluster\"} 1.0",
            "thermocline_moves_blocked{reason=\"people\"} 0.0",
            "thermocline_copies_allowed 4.0",
            "thermocline_throttle_cuts_total 3.0",
            "thermocline_nodes_throttled 2.0",
            "thermocline_hints 5.0",
            "thermocline_hints_owner_reliability_ratio 0.75",
            "thermocline_hints_judged_total{verdict=\"right\"} 8.0",
            "thermocline_hints_refused_total 6.0",
            "thermocline_groups{kind=\"replica\"} 1.0",
            "thermocline_groups_members{kind=\"file\"} 7.0",
            "thermocline_groups_max_bytes{kind=\"file\"} 1000.0",
            "thermocline_groups_made_total{kind=\"refreshed\"} 1.0",
            "thermocline_groups_ended_total{cause=\"changed\"} 3.0",
            "thermocline_groups_ended_total{cause=\"people\"} 0.0",
            "thermocline_groups_opens_total 12.0",
            "thermocline_api_requests_total{route=\"GET /plans\",status=\"200\"} 1.0",
            "thermocline_api_request_seconds_count{route=\"GET /plans\"} 1",
            "thermocline_plan_seconds_sum{phase=\"plan\"} 2.0")) {
      assertTrue(text.contains("\n" + line + "\n"), () -> line + " in\n" + text);
    }
    assertTrue(text.contains("# TYPE thermocline_moves_total counter"), text);
  }

  @Test
  void prometheusGetsThemOverHttp() throws Exception {
    try (ApiServer server =
        ApiServer.start(
            new ApiServer.Listen("127.0.0.1", 0, null),
            new ApiServer.Parts(
                List.of(), List.of(MetricsPage.of(metrics)), new Localhost(), Activity.HERE),
            Thread::new)) {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(server.address().resolve("/metrics")).build(),
                  HttpResponse.BodyHandlers.ofString());

      assertEquals(200, answer.statusCode(), answer.body());
      assertEquals(Metrics.CONTENT_TYPE, answer.headers().firstValue("Content-Type").orElseThrow());
      assertTrue(answer.body().contains("\nthermocline_heat_files 7.0\n"), answer.body());
    }
  }

  @Test
  void theSameNumbersAreInJmx() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName all = new ObjectName(Metrics.BEANS + ",*");
    try (Closeable shown = metrics.toJmx()) {
      assertTrue(beans.queryNames(all, null).size() > 50, () -> shown + " shows all");
      numbers.took("act", 500_000_000L);
      numbers.answered("GET /files/*", 404, 2_000_000L);

      assertEquals(6L, beans.getAttribute(bean("moves_total,state=verified"), "Count"));
      assertEquals(7L, beans.getAttribute(bean("heat_files"), "Value"));
      ObjectName act = bean("plan_seconds,phase=act");
      assertEquals(1L, beans.getAttribute(act, "Count"));
      assertEquals(0.5, beans.getAttribute(act, "99thPercentile"));
      ObjectName route =
          bean("api_requests_total,route=" + ObjectName.quote("GET /files/*") + ",status=404");
      assertEquals(1L, beans.getAttribute(route, "Count"));
    }
    assertEquals(Set.of(), beans.queryNames(all, null), "gone");
  }

  private static ObjectName bean(String metric) throws Exception {
    return new ObjectName(Metrics.BEANS + ",name=thermocline_" + metric);
  }

  @Test
  void whatThereIsNoneOfIsNotShown() {
    assertFalse(metrics.text().contains("thermocline_storage_used_bytes{type=\"NVDIMM\"}"));
  }

  @Test
  void thePageHasEachMetricAsItIs() throws Exception {
    Set<String> rows = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/reference/metrics.md")));
    while (row.find()) {
      rows.add(
          row.group(1)
              + " "
              + row.group(2)
              + " "
              + (row.group(3) == null ? "" : row.group(3))
              + (row.group(4) == null ? "" : ", " + row.group(4)));
    }
    Set<String> known =
        metrics.named().stream()
            .map(
                named ->
                    named.name()
                        + " "
                        + named.kind().name().toLowerCase(Locale.ROOT)
                        + " "
                        + named.label())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(known, rows);
  }

  @Test
  void theDashboardAsksForWhatThereIs() throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(ROOT.resolve("conf/grafana-dashboard.json").toFile());
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertTrue(panel.has("title") && panel.has("gridPos"), panel::toString);
      panel.findValues("expr").forEach(expression -> expressions.add(expression.asText()));
    }
    assertTrue(expressions.size() >= 12, expressions::toString);
    expressions.forEach(this::assertValid);
  }

  @Test
  @SuppressWarnings("unchecked")
  void alertsAskForWhatThereIs() throws Exception {
    Map<String, Object> rules =
        (Map<String, Object>)
            new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(ROOT.resolve("conf/prometheus-alerts.yaml")));
    String page = Files.readString(ROOT.resolve("docs/reference/metrics.md"));
    Set<String> names = new HashSet<>();
    for (Object group : (List<Object>) rules.get("groups")) {
      for (Object each : (List<Object>) ((Map<String, Object>) group).get("rules")) {
        Map<String, Object> rule = (Map<String, Object>) each;
        assertTrue(names.add((String) rule.get("alert")), rule::toString);
        String condition = ((String) rule.get("expr")).replace("|", "\\|");
        assertTrue(
            page.contains("| `" + rule.get("alert") + "` (")
                && page.contains(") | `" + condition + "` | " + rule.get("for") + " | "),
            "docs/reference/metrics.md has it otherwise: " + rule);
        assertValid((String) rule.get("expr"));
        assertTrue(((String) rule.get("for")).matches("\\d+[smhd]"), rule::toString);
        Map<String, Object> annotations = (Map<String, Object>) rule.get("annotations");
        assertTrue(annotations.containsKey("summary"), rule::toString);
        assertTrue(annotations.containsKey("description"), rule::toString);
        assertTrue(
            Set.of("critical", "warning")
                .contains(((Map<String, Object>) rule.get("labels")).get("severity")));
      }
    }
    assertTrue(names.size() >= 6, names::toString);
  }

  /** Known names, and brackets that match. */
  private void assertValid(String expression) {
    Set<String> known = new HashSet<>();
    for (Metrics.Named named : metrics.named()) {
      if (named.kind() == Metrics.Kind.HISTOGRAM) {
        List.of("_bucket", "_sum", "_count").forEach(end -> known.add(named.name() + end));
      } else {
        known.add(named.name());
      }
    }
    Matcher of = Pattern.compile("(?m)^# TYPE (jvm_\\w+) ").matcher(metrics().text());
    while (of.find()) {
      known.add(of.group(1));
    }
    Matcher name = NAME.matcher(expression.replaceAll("\"[^\"]*\"", ""));
    assertTrue(name.find(), expression);
    do {
      assertTrue(known.contains(name.group(1)), name.group(1) + " in " + expression);
    } while (name.find());
    for (String pair : List.of("()", "{}", "[]")) {
      assertEquals(
          count(expression, pair.charAt(0)), count(expression, pair.charAt(1)), expression);
    }
  }

  /** With the JVM's. */
  private static Metrics metrics() {
    Metrics metrics = new Metrics();
    metrics.jvm();
    return metrics;
  }

  private static long count(String text, char one) {
    return text.chars().filter(each -> each == one).count();
  }
}
