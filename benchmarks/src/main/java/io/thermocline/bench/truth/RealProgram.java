// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.testbed.process.PublishedJars;
import io.thermocline.testbed.process.Reaper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A program as it is published, in a process of its own.
 *
 * @param jars its class path
 * @param conf Hadoop's configuration directory
 * @param directory for its output and what it unpacks
 */
record RealProgram(List<Path> jars, Path conf, Path directory) {
  private static final int MINUTES = 20;
  private static final int SHOWN = 40;

  /**
   * Starts it.
   *
   * @param user HADOOP_USER_NAME
   * @param main class, or the name of one of our sources beside this class
   */
  @SystemRuntime
  Process start(String user, String main, String... arguments) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
    line.addAll(PublishedJars.MODULE_FLAGS);
    line.add("-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")));
    line.add("-cp");
    line.add(
        conf
            + File.pathSeparator
            + jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    line.add(main.endsWith(".java") ? source(main) : main);
    line.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.to(log().toFile()));
    builder.environment().put("HADOOP_USER_NAME", user);
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("HADOOP_CONF_DIR");
    return Reaper.watch(builder.start());
  }

  /** Runs it to its end, which must be a good one. */
  void run(String user, String main, String... arguments) throws IOException, InterruptedException {
    Process process = start(user, main, arguments);
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
        List<String> said =
            Files.readAllLines(log()).stream().filter(each -> !each.startsWith("\tat ")).toList();
        said.stream().skip(Math.max(0, said.size() - SHOWN)).forEach(System.err::println);
        throw new IOException(main + " failed; the end of its output is above");
      }
    } finally {
      Reaper.kill(process);
    }
  }

  private Path log() {
    return directory.resolve("program.out");
  }

  private String source(String name) throws IOException {
    Path copy = directory.resolve(name);
    try (var in = RealProgram.class.getResourceAsStream(name)) {
      Files.write(copy, in.readAllBytes());
    }
    return copy.toString();
  }
}
