// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.testbed.process.Reaper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process that is killed, frozen and started again, with its log. For one thread. */
final class ChaosProcess implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("REST at (http://[^/\\s]+)/");
  private static final int TAIL_LINES = 40;

  private final ProcessBuilder builder;
  private final Path log;
  private Process process;

  /** Bytes that the log had when the process was last started. */
  private long startedAt;

  /**
   * Starts it.
   *
   * @param log where its output is appended
   */
  ChaosProcess(ProcessBuilder builder, Path log) throws IOException {
    this.log = log;
    this.builder =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    start();
  }

  /** Starts it again after its end. */
  void start() throws IOException {
    startedAt = Files.exists(log) ? Files.size(log) : 0;
    process = Reaper.watch(builder.start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Resources resources() throws IOException {
    return Resources.of(process.pid());
  }

  void restartWhereEnded() throws IOException {
    if (!isAlive()) {
      start();
    }
  }

  /** Ends it as {@code kill -9} does. */
  void kill() {
    Reaper.kill(process);
  }

  /** Freezes all its threads, or has them go on. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Lets it end by itself. */
  void terminate() {
    process.destroy();
    process.onExit().join();
  }

  /** Lines that it has written since the first start. */
  long lines() throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.count();
    }
  }

  /** Lines with this text that it has written since it was last started. */
  long says(String text) throws IOException {
    return latest().lines().filter(line -> line.contains(text)).count();
  }

  /** Where its REST interface is; empty before it says so. */
  Optional<String> address() throws IOException {
    return ADDRESS
        .matcher(latest())
        .results()
        .map(said -> said.group(1))
        .reduce((first, second) -> second);
  }

  private String latest() throws IOException {
    return new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1)
        .substring((int) startedAt);
  }

  @Override
  public void close() {
    kill();
  }

  @Override
  public String toString() {
    try {
      List<String> lines = latest().lines().toList();
      return log.getFileName()
          + " ends with:\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return log + " can't be read: " + e;
    }
  }
}
