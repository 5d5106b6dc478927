// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.chaos.SkewedService;
import io.thermocline.launcher.Launched;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code bin/thermocline service} of what is installed, as a process of its own: an ordinary user of this host, and in
 * HDFS the user "thermocline".
 */
final class ServiceProcess implements AutoCloseable {

  /** For what it says; where other work has both processors, its JVM alone takes half a minute to begin. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  static final String USER = "thermocline";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Pattern ADDRESS = Pattern.compile("REST at (http://[^/\\s]+)/");

  private final Process process;
  private final Path out;
  private final Path err;

  private ServiceProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * @param directory where its output goes
   */
  static ServiceProcess start(Path directory, Path config, String... options) throws IOException {
    return command(directory, USER, "service", config, options);
  }

  /** Another command of the launcher, as a user of HDFS. */
  static ServiceProcess command(
      Path directory, String user, String command, Path config, String... options)
      throws IOException {
    return start(
        OsUser.ordinaryOwning(directory, config), directory, user, command, config, options);
  }

  /** The same as the user that the test runs as. */
  static ServiceProcess asThisUser(
      Path directory, String user, String command, Path config, String... options)
      throws IOException {
    return start(List.of(), directory, user, command, config, options);
  }

  /**
   * The same as a user of this host, in the directory of its configuration.
   *
   * @param inHdfs who it is there
   */
  static ServiceProcess as(OsUser user, String inHdfs, String command, Path config)
      throws IOException {
    return start(user.prefix(), config.getParent(), inHdfs, command, config);
  }

  private static ServiceProcess start(
      List<String> prefix,
      Path directory,
      String user,
      String command,
      Path config,
      String... options)
      throws IOException {
    List<String> words = new ArrayList<>(List.of(command, "--config", config.toString()));
    words.addAll(List.of(options));
    return start(directory, Installation.command(prefix, Launched.ROOT, directory, user, words));
  }

  /**
   * The same by another program.
   *
   * @param prefix that program, and what it takes before a command line
   */
  static ServiceProcess startBehind(List<String> prefix, Path directory, Path config)
      throws IOException {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(OsUser.ordinaryOwning(directory, config));
    return start(all, directory, USER, "service", config);
  }

  /**
   * What is installed on a host whose clock {@link SkewedService#skew} sets; the installed command takes its clock from
   * nobody.
   */
  static ServiceProcess skewed(Path directory, Path config, Path clock) throws IOException {
    return program(
        directory,
        config,
        SkewedService.class,
        List.of(clock.toString(), "--config", config.toString()));
  }

  /** One that stops at a named point until {@link HeldService#release}, and is soon done with waiting for a plan. */
  static ServiceProcess held(Path directory, Path config, String point) throws IOException {
    return program(
        directory,
        config,
        HeldService.class,
        List.of(point, directory.toString(), "--config", config.toString(), "--grace", "1"));
  }

  private static ServiceProcess program(
      Path directory, Path config, Class<?> program, List<String> words) throws IOException {
    return start(
        directory,
        Installation.program(
            OsUser.ordinaryOwning(directory, config),
            Launched.ROOT,
            directory,
            USER,
            program,
            words));
  }

  private static ServiceProcess start(Path directory, ProcessBuilder builder) throws IOException {
    Path out = Files.createTempFile(directory, "service", ".out");
    Path err = Files.createTempFile(directory, "service", ".err");
    builder
        .directory(directory.toFile())
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(out.toFile())
        .redirectError(err.toFile());
    return new ServiceProcess(Reaper.watch(builder.start()), out, err);
  }

  /** Waits for a line of its log that has all the given texts. */
  ServiceProcess logs(String... texts) {
    Eventually.holds(
        "log line with " + List.of(texts) + " of " + this,
        LIMIT,
        () -> {
          assertTrue(process.isAlive() || has(texts), () -> "the service ended: " + this);
          return has(texts);
        });
    return this;
  }

  /** Waits until it says where its REST interface is: "http://127.0.0.1:8480". */
  String address() throws IOException {
    logs(" REST at http://");
    Matcher said = ADDRESS.matcher(out());
    assertTrue(said.find(), this::toString);
    return said.group(1);
  }

  /** What its REST interface answers, by a path below /api/v1, where that is 200. */
  JsonNode get(String path) throws Exception {
    HttpResponse<String> answer = answer(path);
    assertEquals(200, answer.statusCode(), () -> path + ": " + answer.body());
    return JSON.readTree(answer.body());
  }

  /** The same, whatever it is. */
  HttpResponse<String> answer(String path) throws Exception {
    URI asked = URI.create(address() + "/api/v1" + path);
    return HTTP.send(HttpRequest.newBuilder(asked).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    URI asked = URI.create(address() + "/api/v1" + path);
    return HTTP.send(
        HttpRequest.newBuilder(asked)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Its numbers, as Prometheus reads them. */
  String metrics() throws Exception {
    URI page = URI.create(address() + "/metrics");
    return HTTP.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Plans that it made so far. */
  long plans() throws Exception {
    return get("/state").at("/managed/plans").asLong();
  }

  /** Waits for so many plans more. */
  void plansOn(int more) throws Exception {
    long before = plans();
    Eventually.holds("more plans of " + this, LIMIT, () -> plans() >= before + more);
  }

  /** Why a file is where it is, in lines. */
  List<String> explains(String path) throws Exception {
    List<String> lines = new ArrayList<>();
    get("/files?path=" + path).path("explanation").forEach(line -> lines.add(line.asText()));
    return lines;
  }

  boolean has(String... texts) throws IOException {
    return Files.readAllLines(out).stream()
        .anyMatch(line -> List.of(texts).stream().allMatch(line::contains));
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  /** Sends SIGTERM, waits for the end, and expects what the help says of it. */
  void terminate() throws InterruptedException {
    process.destroy();
    assertEquals(143, status(), this::toString);
    assertTrue(toString().contains("stopped"), this::toString);
  }

  /** Waits for a service that ends by itself with this status and so many lines on the standard error. */
  List<String> fails(int status, int count) throws IOException, InterruptedException {
    assertEquals(status, status(), this::toString);
    List<String> lines = Files.readAllLines(err);
    assertEquals(count, lines.size(), this::toString);
    return lines;
  }

  /** Freezes all its threads, or has them go on. */
  void signal(String name) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("kill", "-" + name));
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .forEach(one -> line.add(Long.toString(one.pid())));
    assertEquals(0, new ProcessBuilder(line).inheritIO().start().waitFor());
  }

  /** Waits for a service that ends by itself. */
  void ends(int status) throws InterruptedException {
    assertEquals(status, status(), this::toString);
  }

  /** Ends it in any case. */
  @Override
  public void close() {
    Reaper.kill(process);
  }

  private int status() throws InterruptedException {
    assertTrue(
        process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS),
        () -> "did not end within " + LIMIT + ": " + this);
    return process.exitValue();
  }

  @Override
  public String toString() {
    try {
      return "service, which said:\n" + Files.readString(out) + Files.readString(err);
    } catch (IOException e) {
      return "service, whose output can't be read: " + e;
    }
  }
}
