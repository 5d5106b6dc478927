// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.choice.Choice;
import io.thermocline.placement.choice.Choice.Reason;
import io.thermocline.placement.choice.Location;
import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.PublishedPolicy;
import io.thermocline.placement.choice.ServerMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of answers that are odd, late or missing. Real ones are asked for on a cluster. */
class DataNodeProbeTest {
  private final ServerTable table =
      ServerTable.of(
          List.of(server("a", "/r1"), server("b", "/r2"), server("c", "/r3"), server("d", "/r4")));
  private final List<Server> failed = new ArrayList<>();

  @Test
  void aServerThatDoesNotAnswerHasNoValuesAndIsNamed() {
    DataNodeProbe probe =
        new DataNodeProbe(
            url -> {
              if (url.contains("//b:")) {
                throw new IOException("timed out");
              }
              return page(url, .25);
            },
            (server, e) -> failed.add(server));
    ServerMetrics metrics = probe.ask(table, table.servers());
    int b = numberOf("b");
    assertTrue(Double.isNaN(metrics.value(Metric.DISK_USED, b)));
    assertEquals(.75, metrics.value(Metric.DISK_USED, numberOf("a")), 1e-12);
    assertEquals(42, metrics.value(Metric.MEMORY_FREE, numberOf("a")));
    assertEquals(.5, metrics.value(Metric.CPU_USED, numberOf("a")));
    assertEquals(1.5E-3, metrics.value(Metric.WRITE_LATENCY, numberOf("a")));
    assertEquals(List.of(table.servers().get(b)), failed);
    // Where it is is known from the table.
    assertEquals(2, metrics.seenFrom(Location.of("x", "/r2")).value(Metric.DISTANCE, b));
  }

  @Test
  void onlyThoseAskedAreAsked() {
    List<String> asked = new ArrayList<>();
    DataNodeProbe probe =
        new DataNodeProbe(
            url -> {
              asked.add(url);
              return page(url, .5);
            },
            (server, e) -> failed.add(server));
    Server c = table.servers().get(numberOf("c"));
    ServerMetrics metrics = probe.ask(table, List.of(c));
    assertTrue(asked.stream().allMatch(url -> url.startsWith("http://c:9864/jmx?qry=")));
    assertEquals(.5, metrics.value(Metric.DISK_USED, numberOf("c")));
    assertTrue(Double.isNaN(metrics.value(Metric.DISK_USED, numberOf("a"))));
  }

  @Test
  void oneServerIsAskedByItself() throws IOException {
    DataNodeProbe probe =
        new DataNodeProbe(
            url -> {
              if (url.contains("//b:")) {
                throw new IOException("timed out");
              }
              // The names of a JVM that has dropped the deprecated ones.
              return page(url, .25)
                  .replace("FreePhysicalMemorySize", "FreeMemorySize")
                  .replace("SystemCpuLoad", "CpuLoad");
            },
            (server, e) -> failed.add(server));
    ServerMetrics metrics = probe.ask(table.servers().get(numberOf("a")));
    assertEquals(Double.NaN, metrics.value(Metric.MEMORY_FREE, 1));
    assertEquals(42, metrics.value(Metric.MEMORY_FREE, 0));
    assertEquals(.5, metrics.value(Metric.CPU_USED, 0));
    assertThrows(IOException.class, () -> probe.ask(table.servers().get(numberOf("b"))));
    assertEquals(List.of(), failed);
  }

  @Test
  void whatIsNoNumberIsUnknown() {
    DataNodeProbe probe =
        new DataNodeProbe(
            url ->
                "{\n  \"beans\" : [ {\n \"SystemCpuLoad\" : -1.0,\n \"Capacity\" : \"NaN\"\n} ]}",
            (server, e) -> failed.add(server));
    ServerMetrics metrics = probe.ask(table, table.servers());
    assertTrue(metrics.metrics().isEmpty(), metrics.metrics().toString());
    assertEquals(List.of(), failed);
    Choice choice =
        FileChoices.of(table, 2, 2).candidatesFor("/f").choose(PublishedPolicy.SPACE, metrics);
    assertEquals(0, choice.candidate());
    assertEquals(Reason.METRIC_UNKNOWN, choice.reason());
  }

  /** Each server has a use of its own; whatever path, the set with the lower maximum is taken. */
  @Test
  void choiceIsByWhatTheServersSaid() {
    DataNodeProbe probe =
        new DataNodeProbe(
            url -> page(url, (url.charAt(7) - 'a' + 1) / 10.0), (server, e) -> failed.add(server));
    ServerMetrics metrics = probe.ask(table, table.servers());
    FileChoices choices = FileChoices.of(table, 2, 2);
    for (int i = 0; i < 500; i++) {
      FileCandidates candidates = choices.candidatesFor("/f" + i);
      Choice choice = candidates.choose(PublishedPolicy.SPACE, metrics);
      String fullestOfChosen = fullest(candidates.serversOf(choice));
      for (List<Server> set : candidates.sets()) {
        assertTrue(fullestOfChosen.compareTo(fullest(set)) >= 0, candidates + " " + choice);
      }
      assertEquals(candidates.numberOf(candidates.sets().get(0).get(0)), choice.devices(0)[0]);
    }
  }

  /** "a" has the least room. */
  private static String fullest(List<Server> set) {
    return set.stream().map(Server::id).min(String::compareTo).get();
  }

  private int numberOf(String id) {
    for (int number = 0; number < table.servers().size(); number++) {
      if (table.servers().get(number).id().equals(id)) {
        return number;
      }
    }
    throw new IllegalArgumentException(id);
  }

  private static String page(String url, double free) {
    String body =
        url.contains("OperatingSystem")
            ? "\"FreePhysicalMemorySize\" : 42,\n    \"SystemCpuLoad\" : 0.5"
            : url.contains("FSDatasetState")
                ? "\"Capacity\" : 1000,\n    \"Remaining\" : " + (int) (1000 * free)
                : "\"WriteBlockOpAvgTime\" : 1.5E-3";
    return "{\n  \"beans\" : [ {\n    \"name\" : \"x\",\n    " + body + "\n  } ]\n}";
  }

  private static Server server(String id, String rack) {
    return Server.of(id, id + ":9866", id + ":9864", Location.of(id, rack), 1_000_000_000_000L);
  }
}
