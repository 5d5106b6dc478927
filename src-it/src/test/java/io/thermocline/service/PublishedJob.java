// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.PublishedJars;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program for a framework that is no dependency of ours, in a process of its own: its source
 * is in resources/jobs, beside a POM that names what it runs with, as that is published. The
 * client's classes are all that is added.
 */
final class PublishedJob {

  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data")).toAbsolutePath();
  private static final int MINUTES = 5;
  private static final String LOGGING =
      "log4j.rootLogger=WARN, out\nlog4j.appender.out=org.apache.log4j.ConsoleAppender\n"
          + "log4j.appender.out.layout=org.apache.log4j.PatternLayout\n"
          + "log4j.appender.out.layout.ConversionPattern=%p %c{1}: %m%n\n";

  private final String name;
  private final List<Path> jars;

  private PublishedJob(String name, List<Path> jars) {
    this.name = name;
    this.jars = jars;
  }

  /**
   * @param name of the POM
   * @param hadoop version, where the POM leaves it open
   */
  static PublishedJob resolve(String name, String hadoop)
      throws IOException, UnresolvedHadoopException {
    return new PublishedJob(
        name,
        PublishedJars.resolve(
            resource(name + ".xml"), name + " " + hadoop, hadoop, DATA.resolve("jobs")));
  }

  /**
   * Runs it to its end, which must be a good one.
   *
   * @param source name of its class
   * @param site Hadoop's configuration
   */
  void run(String source, Path directory, Map<String, String> site, String... arguments)
      throws Exception {
    // HDFS's own defaults, where they are on the class path, go before core-site.
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      ServiceSetup.site(directory.resolve("conf").resolve(file), site);
    }
    Files.writeString(directory.resolve("conf/log4j.properties"), LOGGING);
    Path program = directory.resolve(source + ".java");
    try (var in = resource(source + ".java").openStream()) {
      Files.copy(in, program);
    }
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx768m"));
    line.addAll(PublishedJars.MODULE_FLAGS);
    line.add("-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")));
    line.add("-Dderby.system.home=" + directory.resolve("tmp"));
    line.add("-cp");
    line.add(
        Stream.concat(
                Stream.of(
                    directory.resolve("conf").toString(),
                    ProcessCluster.codeOf(HintingFileSystem.class),
                    ProcessCluster.codeOf(SystemRuntime.class)),
                jars.stream().map(Path::toString))
            .collect(Collectors.joining(File.pathSeparator)));
    line.add(program.toString());
    line.addAll(List.of(arguments));
    Path log = Files.createDirectories(DATA.resolve("jobs")).resolve(name + ".out");
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(log.toFile());
    builder.environment().put("HADOOP_USER_NAME", "alice");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("HADOOP_CONF_DIR");
    Process process = Reaper.watch(builder.start());
    try {
      assertTrue(process.waitFor(MINUTES, TimeUnit.MINUTES), () -> name + " doesn't end: " + log);
      assertEquals(0, process.exitValue(), () -> name + " failed: " + tail(log));
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private static String tail(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static URL resource(String name) {
    return PublishedJob.class.getResource("/jobs/" + name);
  }
}
