// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.decide.ActionLimits;
import io.thermocline.tiering.decide.TierSpeed;
import java.time.Duration;
import java.util.Optional;

/** Reads decide.actions of thermocline.yaml. */
final class ActionSection {

  private ActionSection() {}

  static ServiceConfig.Actions read(YamlSection decide) {
    return decide
        .optionalSection("actions")
        .map(ActionSection::actions)
        .orElse(ServiceConfig.Actions.OFF);
  }

  private static ServiceConfig.Actions actions(YamlSection section) {
    ServiceConfig.Actions off = ServiceConfig.Actions.OFF;
    ActionLimits.Cache cache = null;
    String pool = off.pool();
    Duration ttl = off.ttl();
    YamlSection cacheSection = section.optionalSection("cache").orElse(null);
    if (cacheSection != null) {
      pool = cacheSection.text("pool", pool);
      ttl = cacheSection.duration("ttl", ttl);
      cache = cache(cacheSection);
    }
    ActionLimits.Copies copies =
        section
            .optionalSection("replicas")
            .map(
                replicas -> {
                  ActionLimits.Copies read =
                      new ActionLimits.Copies(replicas.integer("max", 6, 2, 512));
                  replicas.rejectUnknown();
                  return read;
                })
            .orElse(null);
    Optional<GroupsConfig> groups = section.optionalSection("groups").map(GroupsConfig::read);
    section.rejectUnknown();
    return new ServiceConfig.Actions(new ActionLimits(cache, copies), pool, ttl, groups);
  }

  private static ActionLimits.Cache cache(YamlSection section) {
    long most = section.bytes("maxBytes", 0);
    if (most < 1) {
      section.reject(
          "maxBytes", "is missing: expected how much memory to take, for instance 10 GB");
      most = 1;
    }
    ActionLimits.Cache cache =
        new ActionLimits.Cache(
            most,
            section.integer("copies", 1, 1, 512),
            section.number("threshold", 4),
            new TierSpeed(Math.max(1, section.bytes("read", 4L << 30)), 1, 0));
    section.rejectUnknown();
    return cache;
  }
}
