// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.testbed.process.inside.Tether;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process of the cluster, tied to this one by its {@link Tether}. Thread-safe. */
final class Jvm {

  private static final int TAIL_LINES = 25;

  private final String name;
  private final Process process;
  private final Path log;

  private Jvm(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /** How to start one. */
  record Command(String classPath, List<String> flags, String main, List<String> arguments) {
    Command {
      flags = List.copyOf(flags);
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * @param log where its output is appended
   */
  static Jvm start(String name, Command command, Path log) throws IOException {
    return start(name, List.of(), command, log);
  }

  /**
   * @param prefix of the command line
   */
  static Jvm start(String name, List<String> prefix, Command command, Path log) throws IOException {
    List<String> line = new ArrayList<>(prefix);
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Many short lives on few cores: starting fast counts, running fast doesn't.
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    line.addAll(command.flags());
    line.addAll(List.of("-cp", command.classPath(), Tether.class.getName(), command.main()));
    line.addAll(command.arguments());
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(log.getParent().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().keySet().removeIf(key -> key.startsWith("HADOOP_"));
    return new Jvm(name, builder.start(), log);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Waits for its end.
   *
   * @return its exit status
   */
  int await(Duration limit) throws IOException {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
        throw new IOException(
            "%s did not end within %d s%s".formatted(name, limit.toSeconds(), tail()));
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted in " + name).initCause(e);
    }
  }

  /** Ends it at once, as {@code kill -9} does, and returns when it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Sends it a signal, as {@code kill -STOP} does. */
  void signal(String signal) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start();
    if (kill.onExit().join().exitValue() != 0) {
      throw new IOException(name + " can't be sent " + signal);
    }
  }

  /** Asks it to end, as {@code kill} does. */
  void terminate() {
    process.destroy();
  }

  /** Bytes of memory it occupies now; 0 where the system doesn't say. */
  long residentBytes() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElse(0);
  }

  String output() throws IOException {
    // Not readString: a process that was killed may have left half a character.
    return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
  }

  /** The last lines of its output, for a message. */
  String tail() {
    try {
      List<String> lines = output().lines().toList();
      return "\n--- last lines of %s:\n%s"
          .formatted(
              name,
              String.join(
                  "\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())));
    } catch (IOException e) {
      return "\n--- the output of " + name + " can't be read: " + e;
    }
  }
}
