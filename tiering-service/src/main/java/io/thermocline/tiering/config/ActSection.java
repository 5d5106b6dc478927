// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads section act of thermocline.yaml. */
final class ActSection {

  private static final int MOST_COPIES = 1000;

  /** Which files keep movers of Hadoop's away from each other, by what they are called here. */
  private static final Map<String, String> MOVERS =
      Map.of("mover", "/system/mover.id", "balancer", "/system/balancer.id");

  private ActSection() {}

  static ServiceConfig.Act read(YamlSection section) {
    ServiceConfig.Mode mode = section.choice("mode", ServiceConfig.Mode.SHADOW);
    ServiceConfig.Mover backEnd = section.choice("backEnd", ServiceConfig.Mover.DIRECTED);
    ActLimits limits =
        new ActLimits(
            section.integer("maxConcurrentCopies", 256, 1, MOST_COPIES),
            section.integer("maxConcurrentCopiesPerNode", 4, 1, 100),
            section.integer("attempts", 4, 1, 20),
            section.duration("retryAfter", Duration.ofSeconds(1)),
            section.duration("verifyEvery", Duration.ofSeconds(1)),
            section.duration("verifyWithin", Duration.ofMinutes(5)));
    Pacing pacing =
        new Pacing(
            Math.max(1, section.bytes("bandwidthPerNode", 100L << 20)),
            types(section.section("perType")),
            section.integer("nameNodeOperations", 500, 1, 1_000_000),
            section.duration("beginWithin", Duration.ofMinutes(10)));
    Windows windows = windows(section);
    ServiceConfig.Yielding yielding = yielding(section.section("throttle"), backEnd);
    String mutex = section.text("mutex", "/system/thermocline/mover.id");
    if (!mutex.startsWith("/")) {
      section.reject("mutex", "expected an absolute path in HDFS, found '" + mutex + "'");
    }
    ServiceConfig.Review review =
        new ServiceConfig.Review(
            section.choice("approval", ServiceConfig.Approval.NONE),
            section.duration("approveWithin", Duration.ofHours(1)));
    List<String> apply = ApplySection.read(section, mode);
    List<String> excluded = section.texts("exclude");
    if (!excluded.isEmpty() && backEnd == ServiceConfig.Mover.SATISFIER) {
      section.reject(
          "exclude",
          "DataNodes can be excluded with backEnd: directed only: with satisfier the NameNode chooses them");
    }
    section.rejectUnknown();
    return new ServiceConfig.Act(
        mode, backEnd, limits, pacing, windows, yielding, mutex, review, apply, excluded);
  }

  private static Map<StorageType, Pacing.OfType> types(YamlSection section) {
    Map<StorageType, Pacing.OfType> types = new EnumMap<>(StorageType.class);
    for (StorageType type : StorageType.values()) {
      if (type.isMovable()) {
        section
            .optionalSection(type.name())
            .ifPresent(
                own -> {
                  int copies = own.integer("copies", MOST_COPIES, 1, MOST_COPIES);
                  long bytes = own.bytes("bandwidth", 0);
                  own.rejectUnknown();
                  types.put(
                      type,
                      new Pacing.OfType(copies, bytes > 0 ? bytes : Double.POSITIVE_INFINITY));
                });
      }
    }
    section.rejectUnknown();
    return types;
  }

  private static Windows windows(YamlSection section) {
    List<String> texts = section.texts("windows");
    String name = section.text("timeZone", null);
    ZoneId zone = ZoneId.systemDefault();
    try {
      zone = name == null ? zone : ZoneId.of(name);
    } catch (DateTimeException e) {
      section.reject("timeZone", "expected a zone like UTC or Europe/Berlin, found '" + name + "'");
    }
    try {
      return Windows.of(texts, zone);
    } catch (IllegalArgumentException e) {
      section.reject("windows", e.getMessage());
      return Windows.of(List.of(), zone);
    }
  }

  private static ServiceConfig.Yielding yielding(YamlSection section, ServiceConfig.Mover backEnd) {
    Set<String> to = new LinkedHashSet<>();
    List<String> names = section.texts("waitFor");
    for (String name : names.isEmpty() ? List.of("mover", "balancer") : names) {
      if (MOVERS.containsKey(name)) {
        to.add(MOVERS.get(name));
      } else if (!name.equals("none")) {
        section.reject("waitFor", "expected mover, balancer or none, found '" + name + "'");
      }
    }
    if (backEnd == ServiceConfig.Mover.SATISFIER) {
      // The satisfier holds the Mover's file as long as it runs.
      to.remove(MOVERS.get("mover"));
    }
    ServiceConfig.Yielding yielding =
        new ServiceConfig.Yielding(
            to,
            new Surroundings.Bounds(
                section.integer("lowRedundancy", 0, 0, Integer.MAX_VALUE),
                section.integer("transfers", 1024, 1, Integer.MAX_VALUE),
                section.duration("rpcQueue", Duration.ofMillis(20)).toMillis(),
                readFactor(section, backEnd)),
            section.duration("lookEvery", Duration.ofSeconds(10)),
            section.integer("idle", 0, 0, Integer.MAX_VALUE));
    section.rejectUnknown();
    return yielding;
  }

  /** Infinite where readers aren't minded; the satisfier takes no number of copies. */
  private static double readFactor(YamlSection section, ServiceConfig.Mover backEnd) {
    double factor = section.number("foreground", 1.5);
    if (factor > 0 && factor <= 1) {
      section.reject("foreground", "expected 0, for off, or more than 1, found " + factor);
    }
    return factor > 0 && backEnd == ServiceConfig.Mover.DIRECTED
        ? factor
        : Double.POSITIVE_INFINITY;
  }
}
