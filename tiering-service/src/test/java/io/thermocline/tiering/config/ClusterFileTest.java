// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.thermocline.tiering.sim.cluster.ClusterSpec;
import io.thermocline.tiering.sim.cluster.TierSpec;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFileTest {

  @TempDir private Path directory;

  private ClusterFile read(String text) throws Exception {
    return ClusterFile.read(Files.writeString(directory.resolve("cluster.yaml"), text));
  }

  @Test
  void theExampleIsRead() throws ConfigException {
    ClusterFile file =
        ClusterFile.read(Path.of(System.getProperty("project.root"), "conf", "simulate.yaml"));

    assertEquals(
        new ClusterFile(
            new ClusterSpec(
                10,
                10,
                new ClusterSpec.Network(1.25e9, 0.0001, 0.0003),
                128 << 20,
                List.of(
                    new TierSpec(
                        "DISK",
                        12,
                        4L << 40,
                        3,
                        new DeviceSpec(150e6, 140e6, 0.0005, 0.0005, 0.008, 0),
                        false),
                    new TierSpec(
                        "SSD",
                        2,
                        80L << 30,
                        1,
                        new DeviceSpec(2000e6, 1200e6, 0.0001, 0.00005, 0, 0),
                        true)),
                0),
            0.5,
            Duration.ofSeconds(30)),
        file);
  }

  /** What the example shows is what holds where it is left out. */
  @Test
  void theExampleShowsTheDefaults() throws Exception {
    Path example = Path.of(System.getProperty("project.root"), "conf", "simulate.yaml");
    String text = Files.readString(example);

    assertEquals(ClusterFile.read(example), read(text.substring(text.indexOf("tiers:"))));
  }

  @Test
  void allProblemsAreSaidAtOnce() throws IOException {
    ConfigException e =
        assertThrows(
            ConfigException.class,
            () ->
                read(
                    """
                    racks: 0
                    hom: SSD
                    moveShare: 0 %
                    tiers:
                      SSD:
                        capacity: 1 TB
                        readMegabytesPerSecond: fast
                        writeMegabytesPerSecond: 0
                      SDS: {}
                    """));

    String file = directory.resolve("cluster.yaml").toString();
    assertEquals(
        List.of(
            file + ":1:8: racks expected a whole number from 1 to 1000000, found '0'",
            file + ":3:12: moveShare expected more than 0 %",
            file
                + ":7:29: tiers.SSD.readMegabytesPerSecond expected a number of at least 0, found 'fast'",
            file + ":8:30: tiers.SSD.writeMegabytesPerSecond expected more than 0",
            file
                + ":9:3: tiers.SDS is no key: expected one of ARCHIVE, DISK, SSD, NVDIMM, RAM_DISK",
            file + ": tiers.DISK is missing, and home is DISK",
            file + ":2:1: hom is no key: did you mean home?"),
        e.problems());
  }

  @Test
  void aTierNeedsItsCapacityAndItsSpeed() {
    ConfigException e =
        assertThrows(ConfigException.class, () -> read("tiers:\n  DISK:\n    devices: 2\n"));

    assertEquals(3, e.problems().size(), e.getMessage());
  }
}
