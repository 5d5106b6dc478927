// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages as files; what they do in a browser is tested with one. */
class DashboardTest {

  private static final Pattern REFERENCE =
      Pattern.compile("(?:src|href)=\"([^\"#:]+)\"|from \"\\./([^\"]+)\"");

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void servesEveryFileThatItsPagesNameAndLetsNoOthersIn() throws Exception {
    try (ApiServer server =
        ApiServer.start(
            new ApiServer.Listen("localhost", 0, null),
            new ApiServer.Parts(List.of(), Dashboard.mounts(), new Localhost(), Activity.HERE),
            Thread::new)) {
      Deque<String> open = new ArrayDeque<>(List.of(""));
      Set<String> seen = new HashSet<>(open);
      while (!open.isEmpty()) {
        String name = open.pop();
        HttpResponse<String> file = get(server, Dashboard.ROOT + "/" + name);
        assertEquals(200, file.statusCode(), name);
        String policy = file.headers().firstValue("Content-Security-Policy").orElse("");
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
        assertFalse(policy.contains("unsafe"), policy);
        if (!name.startsWith("lib/")) {
          assertFalse(file.body().matches("(?s).*(<script>| style=\"|\\son[a-z]+=\").*"), name);
          Matcher named = REFERENCE.matcher(file.body());
          while (named.find()) {
            String next = named.group(1) == null ? named.group(2) : named.group(1);
            if (seen.add(next)) {
              open.push(next);
            }
          }
        }
      }
      assertTrue(seen.contains("lib/echarts.js") && seen.contains("heat.js"), seen::toString);
      for (String path : List.of("/", Dashboard.ROOT)) {
        HttpResponse<String> led = get(server, path);
        assertEquals(302, led.statusCode(), path);
        String to = led.headers().firstValue("Location").orElse("");
        assertEquals(Dashboard.ROOT + "/", URI.create(to).getPath(), path);
      }
      assertEquals(404, get(server, "/other").statusCode());
      assertEquals(404, get(server, Dashboard.ROOT + "/..%2fDashboard.class").statusCode());
      assertEquals(404, get(server, Dashboard.ROOT + "/lib/preact.umd.js").statusCode());
    }
  }

  @Test
  void thinsItsHistoryOutAndKeepsItsStartOverRestarts(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("charts.json");
    History history = new History(file);
    for (int i = 0; i < 5_000; i++) {
      history.add(
          new History.Sample(
              Instant.ofEpochSecond(i),
              Map.of(StorageType.SSD, 0.5),
              Map.of(),
              Map.of(),
              Map.of()));
    }

    List<History.Sample> samples = history.samples();

    assertTrue(samples.size() > 256 && samples.size() <= 512, "" + samples.size());
    assertEquals(Instant.EPOCH, samples.get(0).at());
    for (int i = 1; i < samples.size(); i++) {
      assertEquals(
          16, samples.get(i).at().getEpochSecond() - samples.get(i - 1).at().getEpochSecond());
    }
    assertEquals(samples, new History(file).samples());
    Files.writeString(file, "{");
    assertEquals(List.of(), new History(file).samples());
  }

  private HttpResponse<String> get(ApiServer server, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(server.address() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
