// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.device.DeviceBoard;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.tiering.act.JournalMark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;

/** A cluster with conf/'s fragments in force, and what a service finds of it on its own host. */
final class ServedCluster implements AutoCloseable {

  private static final int NODES = 4;
  private static final long MIB = 1L << 20;
  static final int FILE_BYTES = 600 * 1024;

  private final EmbeddedCluster cluster;
  private final DistributedFileSystem reader;
  private final Path hadoop;

  private ServedCluster(EmbeddedCluster cluster, Path hadoop) throws IOException {
    this.cluster = cluster;
    this.hadoop = hadoop;
    this.reader = cluster.fileSystem("alice");
  }

  /** Four nodes on two racks, each with one storage of each type. */
  static ServedCluster start(Path directory, List<StorageType> types) throws IOException {
    return start(directory, types, NODES, Map.of());
  }

  /** The properties by which HDFS lets a user act in others' names. */
  static Map<String, String> actsForCallers(String user) {
    return Map.of(
        "hadoop.proxyuser." + user + ".hosts", "*", "hadoop.proxyuser." + user + ".users", "*");
  }

  /**
   * @param properties of HDFS besides
   */
  static ServedCluster start(
      Path directory, List<StorageType> types, int count, Map<String, String> properties)
      throws IOException {
    return start(directory, node -> types, count, properties);
  }

  /**
   * @param types of each node by its number
   */
  static ServedCluster start(
      Path directory,
      IntFunction<List<StorageType>> types,
      int count,
      Map<String, String> properties)
      throws IOException {
    List<NodeLayout> nodes =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    new NodeLayout("dn" + i + ".test", "/rack" + i % 2, capacities(types.apply(i))))
            .toList();
    return start(directory, nodes, properties);
  }

  /** Of these nodes. */
  static ServedCluster start(Path directory, List<NodeLayout> nodes, Map<String, String> properties)
      throws IOException {
    Path site = ServiceSetup.CONF.resolve("hdfs-site.thermocline.xml");
    EmbeddedCluster cluster =
        EmbeddedCluster.builder(directory)
            .layout(new ClusterLayout(nodes, ClusterLayout.DEMO_BLOCK_SIZE))
            .resource(site)
            .resource(superuser(directory.resolve("superuser-site.xml")))
            .resource(ServiceSetup.site(directory.resolve("more-site.xml"), properties))
            .logFragment(ServiceSetup.CONF.resolve("log4j-audit.properties"))
            .create();
    try {
      cluster.start();
      OsUser.openUpTo(cluster.logDirectory());
      Path hadoop = directory.resolve("hadoop");
      ServiceSetup.site(
          hadoop.resolve("core-site.xml"),
          Map.of(
              CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
              cluster.uri().toString(),
              HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY,
              Long.toString(ClusterLayout.DEMO_BLOCK_SIZE)));
      Files.copy(site, hadoop.resolve("hdfs-site.xml"));
      return new ServedCluster(cluster, hadoop);
    } catch (IOException | RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private static Map<StorageType, Long> capacities(List<StorageType> types) {
    return types.stream()
        .collect(
            Collectors.toMap(type -> type, type -> type == StorageType.SSD ? 16 * MIB : 64 * MIB));
  }

  /** By group, as on a real cluster. */
  private static Path superuser(Path file) throws IOException {
    return ServiceSetup.site(
        file,
        Map.of(
            CommonConfigurationKeys.HADOOP_USER_GROUP_STATIC_OVERRIDES,
            ServiceProcess.USER
                + "="
                + DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT
                + ";dr.who="));
  }

  /** Of a service with a journal of its own: what earlier ones left in HDFS is none of its. */
  ServiceSetup setup(String managed) {
    org.apache.hadoop.fs.Path marked = new org.apache.hadoop.fs.Path("/system/thermocline");
    try {
      if (superuser().exists(marked)
          && superuser().getXAttrs(marked).containsKey(JournalMark.ATTRIBUTE)) {
        superuser().removeXAttr(marked, JournalMark.ATTRIBUTE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ServiceSetup(hadoop, cluster.auditLog(), managed);
  }

  URI web() {
    return cluster.web();
  }

  /** How fast all its DataNodes' devices are. */
  DeviceBoard devices() {
    return cluster.devices();
  }

  Path auditLog() {
    return cluster.auditLog();
  }

  /** Ends a DataNode, which the NameNode takes for live for ten minutes. */
  void stopDataNode(int node) {
    cluster.stopDataNode(node);
  }

  DistributedFileSystem superuser() throws IOException {
    return cluster.fileSystem();
  }

  DistributedFileSystem as(String user) throws IOException {
    return cluster.fileSystem(user);
  }

  /** Until the NameNode knows all replicas: for a client, a file is written when it knows one. */
  void write(String file) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file);
    try (OutputStream out = superuser().create(path)) {
      out.write(content(file));
    }
    Eventually.holds(
        "three replicas of " + file,
        () -> blocks(file).stream().allMatch(block -> block.getStorageTypes().length >= 3));
  }

  /** As a client who is not the service's user, and with every byte compared. */
  void read(String file, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      try (InputStream in = reader.open(new org.apache.hadoop.fs.Path(file))) {
        assertArrayEquals(content(file), in.readAllBytes(), file);
      }
    }
  }

  /** Reads ranges of so many bytes, each by itself, as a client who is not the service's user. */
  void readAt(String file, int bytes, long... offsets) throws IOException {
    try (FSDataInputStream in = reader.open(new org.apache.hadoop.fs.Path(file))) {
      for (long offset : offsets) {
        in.readFully(offset, new byte[bytes]);
      }
    }
  }

  /** Of each block, the storage ids with their types, as HDFS shows them. */
  List<List<String>> places(String file) throws IOException {
    return blocks(file).stream()
        .map(
            block ->
                IntStream.range(0, block.getStorageIDs().length)
                    .mapToObj(i -> block.getStorageTypes()[i] + " " + block.getStorageIDs()[i])
                    .sorted()
                    .toList())
        .toList();
  }

  /** Whether each block has three replicas, this many of them on the type. */
  boolean has(String file, long replicas, StorageType type) throws IOException {
    List<LocatedBlock> blocks = blocks(file);
    assertFalse(blocks.isEmpty(), file);
    return blocks.stream()
        .allMatch(
            block ->
                block.getStorageTypes().length == 3
                    && Arrays.stream(block.getStorageTypes())
                            .filter(found -> found.name().equals(type.name()))
                            .count()
                        == replicas);
  }

  /** What the NameNode's fsck says of the storage policies of blocks. */
  String fsckOfPolicies(String directory) throws Exception {
    Configuration conf = new Configuration(superuser().getConf());
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, web().getAuthority());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ToolRunner.run(
        new DFSck(conf, new PrintStream(out, true, StandardCharsets.UTF_8)),
        new String[] {directory, "-files", "-blocks", "-storagepolicies"});
    return out.toString(StandardCharsets.UTF_8);
  }

  private List<LocatedBlock> blocks(String file) throws IOException {
    return superuser()
        .getClient()
        .getLocatedFileInfo(file, false)
        .getLocatedBlocks()
        .getLocatedBlocks();
  }

  static byte[] content(String file) {
    byte[] content = new byte[FILE_BYTES];
    new SplittableRandom(file.hashCode()).nextBytes(content);
    return content;
  }

  @Override
  public void close() {
    cluster.close();
    assertFalse(Files.exists(cluster.directory()), "the cluster's directory is gone");
  }
}
