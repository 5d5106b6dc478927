// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;

/** Observes until it is killed, and says after each poll how many lines it has read itself. */
final class Observed {

  private Observed() {}

  @SystemRuntime
  static Observing open(ServiceConfig config) throws IOException {
    return Observing.open(
        config,
        new Configuration(false),
        "ns",
        "thermocline",
        new ServiceRuntime(Clock.systemUTC(), System::nanoTime, pause -> {}));
  }

  public static void main(String[] args) throws Exception {
    try (Observing observing = open(ServiceConfigFile.read(Path.of(args[0])))) {
      long before = observing.counts().lines();
      while (true) {
        observing.pollOnce(1 << 16);
        observing.saveWhereDue();
        System.out.println(observing.counts().lines() - before);
      }
    }
  }
}
