// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.decide.LeverLimits;
import io.thermocline.tiering.decide.TierSpeed;
import java.time.Duration;
import java.util.Optional;

/** Reads decide.levers of thermocline.yaml. */
final class LeverSection {

  private LeverSection() {}

  static ServiceConfig.Levers read(YamlSection decide) {
    return decide
        .optionalSection("levers")
        .map(LeverSection::levers)
        .orElse(ServiceConfig.Levers.OFF);
  }

  private static ServiceConfig.Levers levers(YamlSection section) {
    ServiceConfig.Levers off = ServiceConfig.Levers.OFF;
    LeverLimits.Cache cache = null;
    String pool = off.pool();
    Duration ttl = off.ttl();
    YamlSection cacheSection = section.optionalSection("cache").orElse(null);
    if (cacheSection != null) {
      pool = cacheSection.text("pool", pool);
      ttl = cacheSection.duration("ttl", ttl);
      cache = cache(cacheSection);
    }
    LeverLimits.Copies copies =
        section
            .optionalSection("replicas")
            .map(
                replicas -> {
                  LeverLimits.Copies read =
                      new LeverLimits.Copies(replicas.integer("most", 6, 2, 512));
                  replicas.rejectUnknown();
                  return read;
                })
            .orElse(null);
    Optional<GroupsConfig> groups = section.optionalSection("groups").map(GroupsConfig::read);
    section.rejectUnknown();
    return new ServiceConfig.Levers(new LeverLimits(cache, copies), pool, ttl, groups);
  }

  private static LeverLimits.Cache cache(YamlSection section) {
    long most = section.bytes("most", 0);
    if (most < 1) {
      section.reject("most", "is missing: expected how much memory to take, for instance 10 GB");
      most = 1;
    }
    LeverLimits.Cache cache =
        new LeverLimits.Cache(
            most,
            section.integer("copies", 1, 1, 512),
            section.number("threshold", 4),
            new TierSpeed(Math.max(1, section.bytes("read", 4L << 30)), 1, 0));
    section.rejectUnknown();
    return cache;
  }
}
