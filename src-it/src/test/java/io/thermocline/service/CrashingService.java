// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import io.thermocline.tiering.app.Seams;
import io.thermocline.tiering.app.ServiceConfigFile;
import io.thermocline.tiering.app.TieringService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The service in a process of its own, which ends at a named point as {@code kill -9} ends it. */
final class CrashingService {

  private static final int KILLED = 137;

  private CrashingService() {}

  /** Arguments: the configuration, and the name of the point. */
  public static void main(String[] args) throws Exception {
    Seams system = Seams.system();
    Seams deadly =
        new Seams(
            system.clock(),
            system.nanos(),
            system.pause(),
            name -> {
              if (name.equals(args[1])) {
                Runtime.getRuntime().halt(KILLED);
              }
            });
    try (TieringService service =
        TieringService.start(ServiceConfigFile.read(Path.of(args[0])), deadly)) {
      service.awaitDeposed();
    }
  }

  /** Starts it, and expects that it dies there while the given work goes on. */
  static void dies(Path directory, Path config, String point, Work work) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingService.class.getName(),
                config.toString(),
                point));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("crashing.out").toFile());
    builder.environment().put("HADOOP_USER_NAME", ServiceProcess.USER);
    Process process = builder.start();
    try {
      for (int i = 0; process.isAlive() && i < 300; i++) {
        work.run();
        process.waitFor(300, TimeUnit.MILLISECONDS);
      }
      if (process.isAlive() || process.exitValue() != KILLED) {
        throw new AssertionError(
            point
                + ": "
                + (process.isAlive() ? "did not die" : "status " + process.exitValue())
                + "\n"
                + java.nio.file.Files.readString(directory.resolve("crashing.out")));
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  /** What the service is to notice. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }
}
