// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.thermocline.hints.Hint;
import io.thermocline.hints.wire.HintError;
import io.thermocline.hints.wire.HintFormatException;
import io.thermocline.hints.wire.HintJson;
import io.thermocline.hints.wire.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * The part of the service that takes hints, as the contract says, with a switch for each kind of
 * trouble.
 */
public final class HintServer implements AutoCloseable {
  public final List<Hint> hints = new CopyOnWriteArrayList<>();
  public final List<Integer> batches = new CopyOnWriteArrayList<>();
  public final List<String> users = new CopyOnWriteArrayList<>();

  /**
   * Answers for other resources, by URI; the URI and what was sent for those that aren't here.
   */
  public final Map<String, String> pages = new ConcurrentHashMap<>();

  /** Of those that aren't 200, by URI. */
  public final Map<String, Integer> statuses = new ConcurrentHashMap<>();

  /** Method and URI of each request, and what was sent. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** What each request proved who asks with; the word null for nothing. */
  public final List<String> authorizations = new CopyOnWriteArrayList<>();

  /** How often HDFS can't be asked about a target yet. */
  public final Map<String, Integer> notYet = new ConcurrentHashMap<>();

  /** Null: as the contract says; else status and text of every answer. */
  public volatile Map.Entry<Integer, String> trouble;

  /** Runs before each answer. */
  public volatile Runnable before = () -> {};

  private final HttpServer server;

  public HintServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "hint-server");
              thread.setDaemon(true);
              return thread;
            }));
    server.createContext("/", this::serve);
    server.start();
  }

  public String address() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  public static Map.Entry<Integer, String> error(HintError error) {
    return Map.entry(
        error.status(),
        Json.write(
            Map.of("code", error.name(), "message", "trouble", "whatToDo", "wait", "where", "x")));
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      before.run();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
      authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      users.add(String.valueOf(exchange.getRequestHeaders().getFirst(Connections.USER_HEADER)));
      Map.Entry<Integer, String> answer = trouble;
      if (answer == null) {
        String uri = exchange.getRequestURI().toString();
        answer = Map.entry(statuses.getOrDefault(uri, 200), answer(uri, body));
      }
      byte[] bytes = answer.getValue().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.getKey(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Why it isn't taken yet; null where it is. */
  private String later(String target) {
    Integer left = notYet.computeIfPresent(target, (path, times) -> times - 1);
    return left == null || left < 0 ? null : "HDFS_UNAVAILABLE";
  }

  private synchronized String answer(String uri, String body) {
    if (pages.containsKey(uri)) {
      return pages.get(uri);
    }
    if (!uri.startsWith("/api/v1/hints?dryRun=")) {
      return Json.write(Map.of("asked", uri, "sent", body));
    }
    List<Object> answers = new ArrayList<>();
    for (Object request : (List<?>) Json.parse(body)) {
      try {
        Hint hint = HintJson.fromRequest((Map<?, ?>) request, "nobody", 0);
        String code = hint.target().startsWith("/gone") ? "NO_SUCH_FILE" : later(hint.target());
        if (code != null) {
          answers.add(Map.of("error", Map.of("code", code, "message", hint.target())));
          continue;
        }
        if (uri.endsWith("true")) {
          answers.add(Map.of("dryRun", true));
          continue;
        }
        hints.add(hint);
        answers.add(Map.of("id", "h" + hints.size(), "later", List.of(1)));
      } catch (HintFormatException e) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", e.error().name());
        error.put("message", e.getMessage());
        answers.add(Map.of("error", error));
      }
    }
    batches.add(answers.size());
    return Json.write(answers);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
