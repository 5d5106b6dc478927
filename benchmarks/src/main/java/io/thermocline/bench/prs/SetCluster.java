// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.cluster.ServiceSite;
import io.thermocline.testbed.device.DeviceBoard;
import io.thermocline.testbed.device.DeviceProfile;
import io.thermocline.testbed.device.DeviceProfiles;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.tiering.act.Pause;
import io.thermocline.tiering.act.groups.GroupStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * HDFS on four racks, with the devices of {@link Disk} and {@link Flash}, sets of files and single files in three
 * replicas, and the installed service as a process of its own.
 */
final class SetCluster implements AutoCloseable {
  static final org.apache.hadoop.fs.Path GROUPS =
      new org.apache.hadoop.fs.Path("/system/thermocline/groups");

  private static final String USER = "thermocline";
  private static final long MIB = 1L << 20;
  private static final Duration SERVICE_STARTS_WITHIN = Duration.ofMinutes(3);

  private final SetScale scale;
  private final Path directory;
  private final Path root;
  private final EmbeddedCluster cluster;
  private Process service;

  SetCluster(SetScale scale) throws IOException {
    this.scale = scale;
    this.root =
        Path.of(SetCluster.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .resolve("../../..")
            .normalize();
    this.directory = Files.createTempDirectory("thermocline-prs-");
    Map<StorageType, DeviceProfile> devices =
        Map.of(
            StorageType.DISK, DeviceProfile.symmetric(8_500, 160_000_000),
            StorageType.SSD, DeviceProfile.symmetric(50, 380_000_000));
    this.cluster =
        EmbeddedCluster.builder(directory)
            .layout(new ClusterLayout(nodes(), MIB))
            .devices(DeviceBoard.open(new DeviceProfiles(devices)))
            .resource(hdfsSite())
            .resource(ServiceSite.rights(directory.resolve("rights-site.xml"), USER))
            .logFragment(root.resolve("conf/log4j-audit.properties"))
            .create();
    cluster.start();
  }

  private Path hdfsSite() {
    return root.resolve("conf/hdfs-site.thermocline.xml");
  }

  private List<NodeLayout> nodes() {
    List<NodeLayout> nodes = new ArrayList<>();
    for (int rack = 0; rack < SetScale.RACKS; rack++) {
      for (int i = 0; i < scale.nodesOfARack(); i++) {
        nodes.add(
            new NodeLayout(
                "dn%d-%d.test".formatted(rack, i),
                "/rack" + rack,
                Map.of(StorageType.DISK, 1024 * MIB, StorageType.SSD, 64 * MIB)));
      }
    }
    return nodes;
  }

  EmbeddedCluster hdfs() {
    return cluster;
  }

  /** Writes all files, at the machine's speed. */
  void write(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] content = new byte[SetScale.FILE_BYTES];
    DistributedFileSystem fs = cluster.fileSystem();
    for (int set = 0; set < scale.sets(); set++) {
      for (int file = 0; file < SetScale.FILES; file++) {
        write(fs, SetScale.file(set, file), random, content);
      }
    }
    for (int other = 0; other < scale.others(); other++) {
      write(fs, SetScale.other(other), random, content);
    }
  }

  private static void write(
      DistributedFileSystem fs, String path, SplittableRandom random, byte[] content)
      throws IOException {
    random.nextBytes(content);
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(content);
    }
  }

  /** Starts the service and waits until it acts. */
  void serve(Pause pause) throws IOException, InterruptedException {
    Path config;
    try (InputStream template = SetCluster.class.getResourceAsStream("thermocline.yaml")) {
      config =
          ServiceSite.write(
              directory.resolve("service"),
              cluster,
              hdfsSite(),
              template,
              Map.of("planEvery", scale.planEvery(), "lookEvery", scale.lookEvery()));
    }
    Path out = directory.resolve("service.out");
    service =
        Reaper.watch(
            Installation.command(
                    OsUser.ordinaryOwning(config.getParent()),
                    root,
                    config.getParent(),
                    USER,
                    List.of("service", "--config", config.toString()))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start());
    for (long waited = 0; !Files.readString(out).contains("running in APPLY mode"); waited++) {
      if (!service.isAlive() || waited > SERVICE_STARTS_WITHIN.toSeconds()) {
        throw new IOException("the service doesn't run: " + Files.readString(out));
      }
      pause.pause(Duration.ofSeconds(1));
    }
  }

  /** Which sets lie in one group file each, with all their files. */
  Set<Integer> grouped() throws IOException {
    DistributedFileSystem fs = cluster.fileSystem();
    Map<Long, Integer> setOf = new HashMap<>();
    for (int set = 0; set < scale.sets(); set++) {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(SetScale.set(set));
      for (FileStatus file : fs.exists(path) ? fs.listStatus(path) : new FileStatus[0]) {
        setOf.put(((HdfsFileStatus) file).getFileId(), set);
      }
    }
    return GroupStore.of(fs, GROUPS).table().groups().stream()
        .map(group -> setOf(group, setOf))
        .filter(set -> set >= 0)
        .collect(Collectors.toSet());
  }

  /** The set that a group is, file by file; -1 where it isn't one. */
  private static int setOf(GroupFile group, Map<Long, Integer> setOf) {
    Set<Integer> sets =
        group.members().stream()
            .map(member -> setOf.getOrDefault(member.inode(), -1))
            .collect(Collectors.toSet());
    return group.members().size() == SetScale.FILES && sets.size() == 1
        ? sets.iterator().next()
        : -1;
  }

  /** How many group files there are, and where. */
  Map<String, Integer> groupFiles() throws IOException {
    Map<String, Integer> types = new HashMap<>();
    for (GroupFile group : GroupStore.of(cluster.fileSystem(), GROUPS).table().groups()) {
      String type =
          cluster
              .fileSystem()
              .getClient()
              .getLocatedFileInfo(group.path(), false)
              .getLocatedBlocks()
              .get(0)
              .getStorageTypes()[0]
              .name();
      types.merge(type, 1, Integer::sum);
    }
    return types;
  }

  @Override
  public void close() throws IOException {
    if (service != null) {
      Reaper.kill(service);
    }
    cluster.close();
    FileUtil.fullyDelete(directory.toFile());
  }
}
