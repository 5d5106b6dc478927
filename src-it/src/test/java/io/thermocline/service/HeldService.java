// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import io.thermocline.tiering.commands.ServiceMain;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * The service in a process of its own, one thread of which stops at a named point until it is released, whatever interrupts
 * it: as one that waits for an answer of HDFS. It is not what is installed: that has no such points, but has its jars and
 * its user.
 */
final class HeldService {

  private static final long BETWEEN_NANOS = 50_000_000;

  private HeldService() {}

  /** Arguments: the name of the point, a directory for signs, and the service's own. */
  public static void main(String[] args) {
    Path directory = Path.of(args[1]);
    ServiceRuntime system = ServiceRuntime.system();
    ServiceRuntime holding =
        new ServiceRuntime(
            system.clock(),
            system.nanos(),
            system.pause(),
            point -> {
              if (point.equals(args[0])) {
                hold(directory);
              }
            });
    System.exit(
        CommandLines.of(new ServiceMain(holding))
            .execute(Arrays.copyOfRange(args, 2, args.length)));
  }

  private static void hold(Path directory) {
    try {
      Files.writeString(held(directory), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    while (Files.notExists(released(directory))) {
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
  }

  /** Whether a thread of the service with this directory has come to the point. */
  static boolean isHeld(Path directory) {
    return Files.exists(held(directory));
  }

  /** Lets it go on. */
  static void release(Path directory) throws IOException {
    Files.writeString(released(directory), "");
  }

  private static Path held(Path directory) {
    return directory.resolve("held");
  }

  private static Path released(Path directory) {
    return directory.resolve("released");
  }
}
