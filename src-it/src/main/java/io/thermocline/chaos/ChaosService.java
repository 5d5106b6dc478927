// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.testbed.process.inside.Tether;
import io.thermocline.tiering.app.ServiceMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A service as a process of its own, started again whenever it has ended, as systemd does. For one thread. */
final class ChaosService implements AutoCloseable {

  static final String USER = "thermocline";

  private final Path directory;
  private final Path config;
  private Process process;

  /**
   * @param config with NAME where its own name belongs, and DIRECTORY where its own directory does
   */
  ChaosService(Path directory, String name, String config) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.config =
        Files.writeString(
            directory.resolve("thermocline.yaml"),
            config.replace("NAME", name).replace("DIRECTORY", directory.toString()));
    start();
  }

  private void start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j.configuration=thermocline-log4j.properties",
                "-cp",
                System.getProperty("java.class.path"),
                // Ends with us, however that is.
                Tether.class.getName(),
                ServiceMain.class.getName(),
                "--config",
                config.toString(),
                "--grace",
                "60"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(
        ProcessBuilder.Redirect.appendTo(directory.resolve("service.log").toFile()));
    builder.environment().put("HADOOP_USER_NAME", USER);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    process = builder.start();
  }

  void restartWhereEnded() throws IOException {
    if (!process.isAlive()) {
      start();
    }
  }

  void kill() {
    process.destroyForcibly().onExit().join();
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

  @Override
  public void close() {
    kill();
  }
}
