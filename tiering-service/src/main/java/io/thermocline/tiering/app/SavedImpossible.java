// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import com.fasterxml.jackson.core.type.TypeReference;
import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.observe.PrivateFiles;
import io.thermocline.tiering.plan.Impossible;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps over restarts, in a file beside the heat, since when decisions have been impossible. */
public final class SavedImpossible {

  private static final Logger LOG = LoggerFactory.getLogger(SavedImpossible.class);

  private SavedImpossible() {}

  /** Goes on with what the file has, and writes it with each plan that changes it. */
  static Impossible open(ServiceConfig config) {
    Path file = file(config);
    return new Impossible(kept(file), since -> save(file, since));
  }

  /** Goes on with what the file has, while a service may write it. */
  public static Impossible read(ServiceConfig config) {
    return new Impossible(kept(file(config)), since -> {});
  }

  private static Path file(ServiceConfig config) {
    return config.checkpoint().resolve("impossible.json");
  }

  private static Optional<Map<String, String>> kept(Path file) {
    try {
      return Optional.of(
          Json.MAPPER.readValue(
              RegularFiles.bytes(file), new TypeReference<Map<String, String>>() {}));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn("since when decisions have been impossible: {}: {}", file, e.getMessage());
      return Optional.empty();
    }
  }

  private static void save(Path file, Map<String, String> since) {
    try {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      PrivateFiles.write(next, Json.MAPPER.writeValueAsBytes(since));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.warn("{} can't be written, trying again when it changes: {}", file, e.getMessage());
    }
  }
}
