// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;

/** A real NameNode with our policy and DataNodes in one JVM. Node i is host{i}, with its own storages. */
final class MiniCluster implements AutoCloseable {
  private static final int BLOCK = 1 << 20;

  private final MiniDFSCluster cluster;

  MiniCluster(
      Path directory,
      Class<? extends ThermoclinePlacementPolicy> policy,
      String[] racks,
      StorageType[][] types)
      throws IOException {
    this(directory, policy, racks, types, Collections.emptyMap());
  }

  /**
   * A cluster with settings of its own.
   *
   * @param settings go before those that all clusters have
   */
  MiniCluster(
      Path directory,
      Class<? extends ThermoclinePlacementPolicy> policy,
      String[] racks,
      StorageType[][] types,
      Map<String, String> settings)
      throws IOException {
    // The build names a directory of its own, and Jetty wants it to be there.
    Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.block.replicator.classname", policy.getName());
    conf.set("dfs.net.topology.impl", FastestReplicaFirstTopology.class.getName());
    conf.setInt(ThermoclinePlacementPolicy.REFRESH_KEY, 50);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    settings.forEach(conf::set);
    String[] hosts = new String[racks.length];
    Arrays.setAll(hosts, i -> "host" + i);
    cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile())
            .numDataNodes(racks.length)
            .racks(racks)
            .hosts(hosts)
            .storagesPerDatanode(types[0].length)
            .storageTypes(types)
            .build();
    cluster.waitActive();
  }

  MiniDFSCluster dfs() {
    return cluster;
  }

  DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  ThermoclinePlacementPolicy policy() {
    return (ThermoclinePlacementPolicy)
        cluster.getNamesystem().getBlockManager().getBlockPlacementPolicy();
  }

  void awaitLine(StorageType type) {
    FakeCluster.await(() -> policy().hasLine(type), "the line of " + type);
  }

  /**
   * Writes one block, on the given nodes if any are given. Returns when the NameNode knows all of its replicas: one that is
   * reported after a move would be too many then, and the NameNode may take any.
   */
  org.apache.hadoop.fs.Path write(String name, String storagePolicy, int replicas, int... nodes)
      throws IOException {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/" + storagePolicy);
    fs().mkdirs(directory);
    fs().setStoragePolicy(directory, storagePolicy);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(directory, name);
    InetSocketAddress[] favored =
        Arrays.stream(nodes)
            .mapToObj(node -> cluster.getDataNodes().get(node).getXferAddress())
            .toArray(InetSocketAddress[]::new);
    try (OutputStream out =
        fs().create(
                path,
                FsPermission.getFileDefault(),
                true,
                4096,
                (short) replicas,
                BLOCK,
                null,
                favored.length == 0 ? null : favored)) {
      out.write(new byte[1000]);
    }
    FakeCluster.await(() -> replicas(path).size() == replicas, replicas + " replicas of " + path);
    return path;
  }

  /** Replicas of the first block in the order in which a reader is told to try them. */
  List<DatanodeInfoWithStorage> replicas(org.apache.hadoop.fs.Path path) {
    return Arrays.asList(block(path).getLocations());
  }

  /** For example {@code [SSD host1, DISK host0]}. */
  String layout(org.apache.hadoop.fs.Path path) {
    return replicas(path).stream()
        .map(one -> one.getStorageType() + " " + one.getHostName())
        .collect(Collectors.toList())
        .toString();
  }

  /** Moves the first block's replica from one node to that type on another, as a mover does. */
  boolean move(org.apache.hadoop.fs.Path path, int from, int to, StorageType type)
      throws IOException {
    DatanodeInfo source = node(from);
    return DFSTestUtil.replaceBlock(
        block(path).getBlock(), source, source, node(to), type, Status.SUCCESS);
  }

  private LocatedBlock block(org.apache.hadoop.fs.Path path) {
    try {
      return fs().getClient().getLocatedBlocks(path.toUri().getPath(), 0).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DatanodeInfo node(int number) throws IOException {
    String uuid = cluster.getDataNodes().get(number).getDatanodeUuid();
    return Arrays.stream(fs().getDataNodeStats())
        .filter(node -> node.getDatanodeUuid().equals(uuid))
        .findAny()
        .orElseThrow(() -> new IllegalStateException("node " + number + " isn't known"));
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
