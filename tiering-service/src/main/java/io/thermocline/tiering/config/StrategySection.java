// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.StorageType;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what section decide says of the strategy. */
final class StrategySection {

  /** How targets are found. */
  private enum Strategy {
    THRESHOLDS,
    CHEW
  }

  private StrategySection() {}

  /** The pattern library; empty where targets are found by thresholds. */
  static Optional<ChewConfig> of(YamlSection decide) {
    Strategy strategy = decide.choice("strategy", Strategy.THRESHOLDS);
    String file = decide.text("chew", null);
    if (strategy == Strategy.THRESHOLDS) {
      return Optional.empty();
    }
    if (file == null) {
      decide.lacks("chew", "the pattern library, for instance /etc/thermocline/chew.yaml");
      return Optional.empty();
    }
    try {
      ChewConfig chew = ChewFile.read(Path.of(file));
      for (String pool : chew.library().pools()) {
        if (Stream.of(StorageType.values())
            .noneMatch(type -> type.isMovable() && type.name().equals(pool))) {
          decide.reject("chew", file + " names pool '" + pool + "', which is no type of storage");
        }
      }
      return Optional.of(chew);
    } catch (ConfigException e) {
      decide.reject("chew", "can't be used:\n" + e.getMessage());
      return Optional.empty();
    }
  }
}
