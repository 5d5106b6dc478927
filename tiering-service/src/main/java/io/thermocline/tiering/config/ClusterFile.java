// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.sim.cluster.ClusterSpec;
import io.thermocline.tiering.sim.cluster.TierSpec;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A cluster for the simulator, as conf/simulate.yaml describes one.
 *
 * @param cluster racks, nodes, devices
 * @param moveShare of the tiers' bandwidth
 * @param decideEvery in live mode
 */
public record ClusterFile(ClusterSpec cluster, double moveShare, Duration decideEvery) {
  private static final int MOST = 1_000_000;
  private static final double MEGABYTE = 1e6;
  private static final double MILLIS = 1e3;
  private static final long BLOCK = 128L << 20;

  /**
   * @throws ConfigException with one line for each problem
   */
  public static ClusterFile read(Path file) throws ConfigException {
    List<String> problems = new ArrayList<>();
    YamlSection top =
        new YamlSection(
            file.toString(), "", YamlFile.compose(file.toString(), YamlFile.text(file)), problems);
    int racks = top.integer("racks", 10, 1, MOST);
    int nodes = top.integer("nodesPerRack", 10, 1, MOST);
    long block = top.bytes("blockSize", BLOCK);
    if (block == 0) {
      top.reject("blockSize", "expected more than 0");
    }
    ClusterSpec.Network network = network(top.section("network"));
    StorageType home = home(top);
    double moveShare = top.percent("moveShare", 0.5);
    if (moveShare == 0) {
      top.reject("moveShare", "expected more than 0 %");
    }
    Duration every = top.duration("decideEvery", Duration.ofSeconds(30));
    List<StorageType> types = new ArrayList<>();
    List<TierSpec> tiers = tiers(top.section("tiers"), types);
    if (!types.contains(home)) {
      problems.add(file + ": tiers." + home + " is missing, and home is " + home);
    }
    top.rejectUnknown();
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new ClusterFile(
        new ClusterSpec(racks, nodes, network, block, tiers, types.indexOf(home)),
        moveShare,
        every);
  }

  /** The same with another read order: it is none of the cluster file's. */
  public ClusterFile withReadOrder(ReadOrder order) {
    return new ClusterFile(cluster.withReadOrder(order), moveShare, decideEvery);
  }

  private static StorageType home(YamlSection top) {
    StorageType home = StorageType.ofHadoopName(top.text("home", "DISK"));
    if (home == null) {
      top.reject("home", "expected one of " + List.of(StorageType.values()));
      return StorageType.DISK;
    }
    return home;
  }

  private static ClusterSpec.Network network(YamlSection section) {
    ClusterSpec.Network network =
        new ClusterSpec.Network(
            rate(section, "megabytesPerSecond", 1250),
            section.number("rackLatencyMs", 0.1) / MILLIS,
            section.number("crossRackLatencyMs", 0.3) / MILLIS);
    section.rejectUnknown();
    return network;
  }

  /** Slowest first, as the types are ordered. */
  private static List<TierSpec> tiers(YamlSection section, List<StorageType> types) {
    List<TierSpec> tiers = new ArrayList<>();
    for (StorageType type : StorageType.values()) {
      Optional<YamlSection> found = section.optionalSection(type.name());
      if (found.isPresent()) {
        types.add(type);
        tiers.add(tier(type.name(), found.get()));
      }
    }
    section.rejectUnknown();
    return tiers;
  }

  private static TierSpec tier(String name, YamlSection section) {
    TierSpec tier =
        new TierSpec(
            name,
            section.integer("devices", 1, 1, MOST),
            section.bytes("capacity", 0),
            section.integer("copies", 1, 1, MOST),
            new DeviceSpec(
                rate(section, "readMegabytesPerSecond", 100),
                rate(section, "writeMegabytesPerSecond", 100),
                section.number("readLatencyMs", 0) / MILLIS,
                section.number("writeLatencyMs", 0) / MILLIS,
                section.number("seekMs", 0) / MILLIS,
                0),
            section.choice("flash", Flag.NO) == Flag.YES);
    for (String key : List.of("capacity", "readMegabytesPerSecond", "writeMegabytesPerSecond")) {
      section.required(key, "a number");
    }
    section.rejectUnknown();
    return tier;
  }

  private enum Flag {
    NO,
    YES
  }

  private static double rate(YamlSection section, String key, double fallback) {
    double megabytes = section.number(key, fallback);
    if (megabytes == 0) {
      section.reject(key, "expected more than 0");
      return fallback * MEGABYTE;
    }
    return megabytes * MEGABYTE;
  }
}
