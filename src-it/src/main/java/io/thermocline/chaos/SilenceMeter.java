// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures how long a service neither makes progress nor shows why it makes none, as its callers see it. It asks {@code GET
 * /state} several times a second. A service that doesn't answer is silent, too.
 */
final class SilenceMeter implements AutoCloseable {

  private static final Duration BETWEEN = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final String authorization;
  private final Thread thread;

  // Guarded by this.
  private String address = "";
  private boolean isMeasuring;
  private String progress = "";
  private String obstacle = "";
  private final Map<String, String> obstacles = new LinkedHashMap<>();
  private boolean isAnswering;
  private long since;
  private long longest;
  private volatile boolean over;

  /** @param authorization as each request shows it */
  SilenceMeter(String authorization) {
    this.authorization = authorization;
    thread = new Thread(this::watch, "silence");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Looks at the service at this address from now on.
   *
   * @param at empty while there is none: then nobody is silent
   */
  synchronized void watch(String at) {
    address = at;
    if (at.isEmpty()) {
      isAnswering = false;
      obstacle = "";
    }
  }

  /** Measures from now on, from zero. */
  synchronized void begin() {
    isMeasuring = true;
    since = runtime.nanos().getAsLong();
    longest = 0;
    obstacles.clear();
  }

  /** Ends the measurement; the longest silence of it. */
  synchronized Duration end() {
    isMeasuring = false;
    return Duration.ofNanos(longest);
  }

  /** What the service showed to be in its way during the measurement, each that differs by more than numbers. */
  synchronized List<String> obstacles() {
    return List.copyOf(obstacles.values());
  }

  /** What the service shows to be in its way; empty where nothing is, or it doesn't answer. */
  synchronized String obstacle() {
    return obstacle;
  }

  /** Whether the service answers, and shows nothing in its way. */
  synchronized boolean isFine() {
    return isAnswering && obstacle.isEmpty();
  }

  private void watch() {
    try {
      while (!over) {
        String at;
        synchronized (this) {
          at = address;
        }
        if (at.isEmpty()) {
          away();
        } else {
          look(at, state(at));
        }
        runtime.pause().pause(BETWEEN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void away() {
    since = runtime.nanos().getAsLong();
  }

  private synchronized void look(String at, Optional<JsonNode> state) {
    if (!at.equals(address)) {
      return;
    }
    long now = runtime.nanos().getAsLong();
    isAnswering = state.isPresent();
    obstacle = state.map(SilenceMeter::obstacle).orElse("");
    String latest =
        state.map(each -> each.get("moves") + " " + each.at("/managed/plans")).orElse(progress);
    boolean isSilent = obstacle.isEmpty() && latest.equals(progress);
    progress = latest;
    if (isMeasuring && !obstacle.isEmpty()) {
      obstacles.putIfAbsent(obstacle.replaceAll("\\d+", "N"), obstacle);
    }
    if (isMeasuring) {
      longest = Math.max(longest, now - since);
    }
    if (!isSilent) {
      since = now;
    }
  }

  private static String obstacle(JsonNode state) {
    String control = state.at("/control/obstacle").asText();
    String message = state.path("message").asText();
    return control.isEmpty() && message.startsWith("planning ") ? message : control;
  }

  private Optional<JsonNode> state(String at) throws InterruptedException {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(at + "/api/v1/state"))
                  .header("Authorization", authorization)
                  .timeout(PATIENCE)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200
          ? Optional.of(JSON.readTree(answer.body()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    over = true;
    thread.interrupt();
  }
}
