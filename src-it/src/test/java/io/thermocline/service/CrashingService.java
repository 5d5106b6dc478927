// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import io.thermocline.launcher.Launched;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.app.plans.MoveCounts;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.ServiceRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The service in a process of its own, which ends at a named point as {@code kill -9} ends it. It is not what is installed:
 * that has no such points, but has its jars and its user.
 */
final class CrashingService {

  private static final int KILLED = 137;
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(3);

  /** What somebody asks of it meanwhile. */
  enum Asked {
    NOTHING,
    /** To end, once a plan's files are recorded and none of its moves has begun. */
    STOP,
    /** To take its first plan back, once that is at its end. */
    UNDO
  }

  private CrashingService() {}

  /** Arguments: the configuration, the name of the point, what is asked. */
  public static void main(String[] args) throws Exception {
    Asked asked = Asked.valueOf(args[2]);
    CompletableFuture<TieringService> running = new CompletableFuture<>();
    ServiceRuntime system = ServiceRuntime.system();
    ServiceRuntime deadly =
        new ServiceRuntime(
            system.clock(),
            system.nanos(),
            system.pause(),
            name -> {
              if (name.equals(args[1])) {
                Runtime.getRuntime().halt(KILLED);
              }
              if (asked == Asked.STOP && name.equals("planned.recorded")) {
                running.join().control().end(ExecutionControl.Stop.FINISH);
              }
            });
    try (TieringService service =
        TieringService.start(ServiceConfigFile.read(Path.of(args[0])), deadly)) {
      running.complete(service);
      if (asked == Asked.UNDO) {
        while (service.status().moves().verified() == 0 || service.status().moves().running() > 0) {
          system.pause().pause(Duration.ofMillis(100));
        }
        service.undo(1, "ann", "a test", new MoveCounts());
      }
      service.awaitDeposed();
    }
  }

  /** Starts it, and expects that it dies there while the given work goes on. */
  static void dies(Path directory, Path config, String point, Asked asked, Work work)
      throws Exception {
    Path out = directory.resolve("crashing.out");
    ProcessBuilder builder =
        Installation.program(
                OsUser.ordinaryOwning(directory, config),
                Launched.ROOT,
                directory,
                ServiceProcess.USER,
                CrashingService.class,
                List.of(config.toString(), point, asked.name()))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    Process process = Reaper.watch(builder.start());
    try {
      long begun = System.nanoTime();
      while (process.isAlive() && System.nanoTime() - begun < LIMIT_NANOS) {
        work.run();
        process.waitFor(300, TimeUnit.MILLISECONDS);
      }
      if (process.isAlive() || process.exitValue() != KILLED) {
        throw new AssertionError(
            point
                + ": "
                + (process.isAlive() ? "did not die" : "status " + process.exitValue())
                + "\n"
                + Files.readString(out)
                + String.join("\n", ServiceSetup.journal(directory)));
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
