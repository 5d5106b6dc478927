// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.device.DeviceBoard;
import io.thermocline.testbed.device.DeviceProfile;
import io.thermocline.testbed.device.DeviceProfiles;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.tiering.classify.RequestWeights;
import io.thermocline.tiering.commands.ProbeMain;
import io.thermocline.tiering.config.ChewConfig;
import io.thermocline.tiering.config.ChewFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code thermocline probe} on DataNodes whose devices are as slow as they are said to be.
 */
@Tag("cluster")
class ProbeTest {

  private static final long MIB = 1L << 20;

  /** Far enough apart for any load of the machine: what is emulated is the least that a request takes. */
  private static final DeviceProfiles DEVICES =
      new DeviceProfiles(
          Map.of(
              StorageType.ARCHIVE, DeviceProfile.symmetric(200_000, MIB / 2),
              StorageType.DISK, DeviceProfile.symmetric(60_000, 2 * MIB),
              StorageType.SSD, DeviceProfile.symmetric(100, 200 * MIB)));

  @TempDir Path temp;

  @Test
  void ordersTypesByWhatTheyGiveAndWritesALibraryThatIsRead() throws Exception {
    try (EmbeddedCluster cluster =
        cluster(
            Map.of(
                StorageType.ARCHIVE,
                64 * MIB,
                StorageType.DISK,
                64 * MIB,
                StorageType.SSD,
                64 * MIB))) {
      Path file = directory().resolve("chew.yaml");
      List<String> options =
          List.of("--out", file.toString(), "--seconds", "40", "--bytes", "16MB", "--json");
      Launched probe = probe(cluster, options);
      assertEquals(0, probe.status(), probe::toString);

      JsonNode types = new ObjectMapper().readTree(probe.out()).get("types");
      assertEquals(
          List.of("SSD", "DISK", "ARCHIVE"),
          List.of(
              types.get(0).get("type").asText(),
              types.get(1).get("type").asText(),
              types.get(2).get("type").asText()));
      for (String number :
          List.of("write_bytes_per_s", "sequential_read_bytes_per_s", "random_reads_per_s")) {
        assertTrue(of(types, 0, number) > of(types, 1, number), types::toString);
        assertTrue(of(types, 1, number) > of(types, 2, number), types::toString);
      }
      // Types take turns, and the one that is measured first pays for nobody's warm-up.
      assertTrue(
          probe
              .err()
              .matches(
                  "(?s).*SSD: writing, round 1 of 4, to warm up.*ARCHIVE: writing, round 1.*"
                      + "SSD: reading at random, round 1.*DISK: writing, round 2 of 4\\R.*"),
          probe::toString);
      assertTrue(types.get(0).get("spread_share").asDouble() >= 0, types::toString);
      // Never faster than the devices are.
      assertTrue(of(types, 1, "sequential_read_bytes_per_s") <= 2.2 * MIB, types::toString);
      assertTrue(of(types, 1, "random_reads_per_s") <= 1 / 0.06, types::toString);
      assertTrue(of(types, 0, "file_bytes") <= 16 * MIB, types::toString);

      ChewConfig read = ChewFile.read(file);
      assertEquals(List.of("SSD", "DISK", "ARCHIVE"), read.library().pools());
      RequestWeights disk = read.library().weights().get("DISK");
      double inSequence = of(types, 1, "sequential_read_bytes_per_s") / (64 << 10);
      assertEquals(inSequence / of(types, 1, "random_reads_per_s"), disk.random(), 0.01);
      assertTrue(disk.random() > 1, disk::toString);
      assertEquals(of(types, 1, "random_reads_per_s"), read.volumes().get("DISK").requests(), 0.06);
      assertEquals(List.of(), left(cluster));

      // Ours to be edited: not written over.
      String text = Files.readString(file);
      Launched again = probe(cluster, options);
      assertEquals(2, again.status(), again::toString);
      assertTrue(again.err().contains("--force writes it anew"), again::toString);
      assertEquals(text, Files.readString(file));
    }
  }

  @Test
  void saysWhichTypeItCannotReachAndStaysWithinItsTime() throws Exception {
    // No volume of it has room for a file besides the blocks that HDFS keeps free.
    try (EmbeddedCluster cluster =
        cluster(
            Map.of(
                StorageType.DISK, 64 * MIB, StorageType.SSD, 64 * MIB, StorageType.ARCHIVE, MIB))) {
      Path file = directory().resolve("chew.yaml");
      Launched probe =
          probe(cluster, List.of("--out", file.toString(), "--seconds", "16", "--bytes", "1GB"));
      assertEquals(ProbeMain.INCOMPLETE, probe.status(), probe::toString);
      assertTrue(probe.out().contains("ARCHIVE was not measured: no volume"), probe::toString);
      String text = Files.readString(file);
      assertTrue(text.contains("# ARCHIVE was not measured, and is no pool here"), text);
      assertEquals(List.of("SSD", "DISK"), ChewFile.read(file).library().pools());
      // A DISK takes few MB in its parts of the time; there was room for 23, and the limit was a
      // GB.
      assertTrue(
          text.matches("(?s).*# DISK, [^,]*, a file of (1?[0-9]{7}) bytes under HOT:.*"), text);
      assertEquals(List.of(), left(cluster));
    }
  }

  @Test
  void leavesNothingBehindWhenItIsStopped() throws Exception {
    try (EmbeddedCluster cluster =
        cluster(Map.of(StorageType.DISK, 64 * MIB, StorageType.SSD, 64 * MIB))) {
      Path directory = directory();
      Path log = directory.resolve("log");
      Path never = directory.resolve("never.yaml");
      List<String> command = new ArrayList<>(List.of("probe"));
      command.addAll(arguments(cluster, List.of("--out", never.toString())));
      Process process =
          Reaper.watch(
              Installation.command(
                      OsUser.ordinaryOwning(directory),
                      Launched.ROOT,
                      directory,
                      System.getProperty("user.name"),
                      command)
                  .redirectErrorStream(true)
                  .redirectOutput(log.toFile())
                  .start());
      try {
        Eventually.holds("a file of it", () -> !left(cluster).isEmpty());
        process.destroy();
        assertTrue(process.waitFor(2, TimeUnit.MINUTES), "it ends");
        assertNotEquals(0, process.exitValue());
        assertEquals(List.of(), left(cluster), () -> text(log));
        assertFalse(Files.exists(never));
      } finally {
        Reaper.kill(process);
      }
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static double of(JsonNode types, int index, String number) {
    return types.get(index).get(number).asDouble();
  }

  /** What is in the directory that it was told to use. */
  private static List<String> left(EmbeddedCluster cluster) throws IOException {
    return Arrays.stream(cluster.fileSystem().listStatus(new org.apache.hadoop.fs.Path("/scratch")))
        .map(FileStatus::getPath)
        .map(org.apache.hadoop.fs.Path::getName)
        .toList();
  }

  private Launched probe(EmbeddedCluster cluster, List<String> options)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("probe"));
    words.addAll(arguments(cluster, options));
    Path directory = directory();
    return Launched.installedBehind(
        OsUser.ordinaryOwning(directory), directory, System.getProperty("user.name"), words);
  }

  /** Where it runs, and what it writes. */
  private Path directory() throws IOException {
    return Files.createDirectories(temp.resolve("run"));
  }

  private List<String> arguments(EmbeddedCluster cluster, List<String> options) throws IOException {
    Path hadoop = temp.resolve("hadoop");
    ServiceSetup.site(
        hadoop.resolve("core-site.xml"),
        Map.of(
            CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
            cluster.uri().toString(),
            HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY,
            Long.toString(ClusterLayout.DEMO_BLOCK_SIZE)));
    ServiceSetup.site(hadoop.resolve("hdfs-site.xml"), Map.of());
    List<String> arguments =
        new ArrayList<>(List.of("--config", hadoop.toString(), "--directory", "/scratch"));
    arguments.addAll(options);
    return arguments;
  }

  private EmbeddedCluster cluster(Map<StorageType, Long> capacities) throws IOException {
    List<NodeLayout> nodes =
        IntStream.range(0, 2)
            .mapToObj(i -> new NodeLayout("dn" + i + ".test", "/rack" + i, capacities))
            .toList();
    EmbeddedCluster cluster =
        EmbeddedCluster.builder(temp)
            .layout(new ClusterLayout(nodes, ClusterLayout.DEMO_BLOCK_SIZE))
            .devices(DeviceBoard.open(DEVICES))
            .create();
    cluster.start();
    cluster.devices().pace();
    cluster.fileSystem().mkdirs(new org.apache.hadoop.fs.Path("/scratch"));
    return cluster;
  }
}
