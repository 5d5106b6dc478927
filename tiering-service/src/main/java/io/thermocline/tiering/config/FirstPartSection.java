// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.plan.FirstParts;
import java.time.Duration;
import java.util.Optional;

/** Reads section firstPart of decide. */
final class FirstPartSection {

  private FirstPartSection() {}

  /** Off where the section isn't there. */
  static FirstParts.Settings read(YamlSection decide) {
    Optional<YamlSection> there = decide.optionalSection("firstPart");
    if (there.isEmpty()) {
      return FirstParts.Settings.OFF;
    }
    YamlSection section = there.get();
    FirstParts.Settings settings =
        new FirstParts.Settings(
            section.percent("share", 0.2),
            section.integer("files", 50, 2, 1_000_000),
            section.duration("watch", Duration.ofHours(1)),
            section.percent("gain", 0.5),
            section.duration("remember", Duration.ofDays(1)));
    section.rejectUnknown();
    return settings;
  }
}
