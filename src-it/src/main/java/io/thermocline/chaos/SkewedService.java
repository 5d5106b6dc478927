// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.tiering.commands.ServiceMain;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * The service on a host whose wall clock somebody sets: a file says how far it is off, and may change at any time. Monotonic
 * time goes on as it does on such a host.
 */
public final class SkewedService {

  private SkewedService() {}

  /**
   * @param args the file, then the service's own arguments
   */
  public static void main(String[] args) {
    ServiceRuntime system = ServiceRuntime.system();
    Clock skewed = new SkewedClock(system.clock(), Path.of(args[0]));
    ServiceMain service =
        new ServiceMain(new ServiceRuntime(skewed, system.nanos(), system.pause()));
    System.exit(CommandLines.of(service).execute(Arrays.copyOfRange(args, 1, args.length)));
  }

  /** Has services that were started with this file go so far ahead of everybody else, or behind. */
  public static void skew(Path file, Duration by) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(draft, by.toString());
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static final class SkewedClock extends Clock {
    private final Clock right;
    private final Path file;

    SkewedClock(Clock right, Path file) {
      this.right = right;
      this.file = file;
    }

    @Override
    public Instant instant() {
      try {
        return Files.exists(file)
            ? right.instant().plus(Duration.parse(Files.readString(file)))
            : right.instant();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public ZoneId getZone() {
      return right.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return new SkewedClock(right.withZone(zone), file);
    }
  }
}
