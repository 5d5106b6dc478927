// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.api;

import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;

/** Clients that each ask one question after the other. */
final class ApiLoad {

  private static final LongSupplier NANOS = ServiceRuntime.system().nanos();

  private final URI service;
  private final SSLContext tls;
  private final Callable<String> authorization;

  /** How long each question took, by its route, in nanoseconds, sorted. */
  record Answered(Map<String, long[]> nanosByRoute, double seconds) {

    double perSecond() {
      return nanosByRoute.values().stream().mapToLong(each -> each.length).sum() / seconds;
    }

    double p99Millis() {
      long[] all = nanosByRoute.values().stream().flatMapToLong(Arrays::stream).sorted().toArray();
      return p99(all);
    }

    void print(String name) {
      nanosByRoute.forEach(
          (route, nanos) ->
              System.out.printf(
                  "%s %-14s %7d answers, median %6.2f ms, p99 %6.2f ms%n",
                  name, route, nanos.length, nanos[nanos.length / 2] / 1e6, p99(nanos)));
    }

    /** Where less than one in a hundred took longer. */
    private static double p99(long[] sorted) {
      return sorted[(int) Math.min(sorted.length - 1, Math.ceil(0.99 * sorted.length))] / 1e6;
    }
  }

  /**
   * @param tls null: plain HTTP
   * @param authorization of each request; null: none
   */
  ApiLoad(URI service, SSLContext tls, Callable<String> authorization) {
    this.service = service;
    this.tls = tls;
    this.authorization = authorization;
  }

  String get(String path) throws Exception {
    return ask(client(), path);
  }

  /** Asks by so many clients, all questions equally often. */
  Answered ask(List<String> questions, int clients, double seconds, long seed)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    long start = NANOS.getAsLong();
    long end = start + (long) (seconds * 1e9);
    try {
      List<Future<Map<String, List<Long>>>> asked = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        SplittableRandom random = new SplittableRandom(seed + i);
        asked.add(threads.submit(() -> askUntil(end, questions, random)));
      }
      Map<String, List<Long>> all = new TreeMap<>();
      for (Future<Map<String, List<Long>>> each : asked) {
        each.get()
            .forEach(
                (route, nanos) ->
                    all.computeIfAbsent(route, name -> new ArrayList<>()).addAll(nanos));
      }
      double took = (NANOS.getAsLong() - start) / 1e9;
      Map<String, long[]> sorted = new TreeMap<>();
      all.forEach(
          (route, nanos) ->
              sorted.put(route, nanos.stream().mapToLong(Long::longValue).sorted().toArray()));
      return new Answered(sorted, took);
    } finally {
      threads.shutdownNow();
    }
  }

  private Map<String, List<Long>> askUntil(
      long end, List<String> questions, SplittableRandom random) throws Exception {
    HttpClient client = client();
    Map<String, List<Long>> nanos = new TreeMap<>();
    while (NANOS.getAsLong() < end) {
      String question = questions.get(random.nextInt(questions.size()));
      long start = NANOS.getAsLong();
      ask(client, question);
      nanos
          .computeIfAbsent(question.replaceFirst("\\?.*", ""), route -> new ArrayList<>())
          .add(NANOS.getAsLong() - start);
    }
    return nanos;
  }

  private HttpClient client() {
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    return tls == null ? builder.build() : builder.sslContext(tls).build();
  }

  private String ask(HttpClient client, String path) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(service.resolve("/api/v1" + path));
    if (authorization != null) {
      request.header("Authorization", authorization.call());
    }
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }
}
