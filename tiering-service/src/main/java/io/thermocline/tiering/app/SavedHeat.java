// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.heat.HeatCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The heat that a service saved, and what to do where it can't be used any more. Stateless. */
final class SavedHeat {

  private static final Logger LOG = LoggerFactory.getLogger(SavedHeat.class);

  /** In the name of what is set aside. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("'aside-'yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private SavedHeat() {}

  static Path file(ServiceConfig config) {
    return config.checkpoint().resolve("heat.checkpoint");
  }

  /**
   * @return empty where nothing was saved yet
   * @throws IOException where there are checkpoints but none that can be used, with what to do
   */
  static Optional<HeatCheckpoint.Restored> load(ServiceConfig config, String nameservice)
      throws IOException {
    try {
      Optional<HeatCheckpoint.Restored> restored =
          HeatCheckpoint.load(file(config), config.heat().settings(), nameservice);
      restored
          .flatMap(HeatCheckpoint.Restored::damage)
          .ifPresent(
              damage ->
                  LOG.warn("{}: going on from the checkpoint before it, and reading on", damage));
      return restored;
    } catch (IOException e) {
      throw new IOException(
          "the heat that was saved can't be used: "
              + e.getMessage()
              + ". Put back what was changed, or start once with --relearn: that keeps the file"
              + " under another name and begins without heat",
          e);
    }
  }

  /** Keeps what was saved under names with the time; the next service in its place begins without heat. */
  static void setAside(ServiceConfig config, Clock clock) throws IOException {
    List<Path> kept = HeatCheckpoint.setAside(file(config), TIME.format(clock.instant()));
    if (kept.isEmpty()) {
      LOG.info("--relearn: no heat was saved in {}", config.checkpoint());
    } else {
      LOG.warn(
          "--relearn: beginning without heat, and in the logs at observe.start: {}; what was saved"
              + " before is kept as {}",
          config.observe().start(),
          kept);
    }
  }
}
