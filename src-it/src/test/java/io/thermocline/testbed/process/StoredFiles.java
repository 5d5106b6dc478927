// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Files of a cluster whose bytes follow from their names. Thread-safe as the client is. */
final class StoredFiles {

  private static final int CELL = 1 << 20;

  private final ProcessCluster cluster;

  StoredFiles(ProcessCluster cluster) {
    this.cluster = cluster;
  }

  /** Writes a file of this many blocks, the last one a little short. */
  String write(String path, int blocks, int replication) throws IOException {
    write(path, blocks, replication, new InetSocketAddress[0]);
    return path;
  }

  void write(String path, int blocks, int replication, InetSocketAddress[] favored)
      throws IOException {
    DistributedFileSystem fs = cluster.client();
    DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
        fs.createFile(new Path(path)).replication((short) replication).recursive();
    if (favored.length > 0) {
      builder.favoredNodes(favored);
    }
    try (OutputStream out = builder.build()) {
      out.write(content(path, blocks));
    }
  }

  /**
   * Writes a file under a directory of erasure-coded files: six full stripes of 1 MiB cells, so that all
   * blocks of each group exist under both RS-3-2 and XOR-2-1.
   */
  String writeCoded(String path) throws IOException {
    try (OutputStream out = cluster.client().createFile(new Path(path)).blockSize(CELL).build()) {
      out.write(bytes(path, 6 * CELL));
    }
    return path;
  }

  /** Writes files under a directory of this storage policy. */
  List<String> writeUnder(String directory, String policy, int count, int replication)
      throws IOException {
    cluster.client().mkdirs(new Path(directory));
    cluster.client().setStoragePolicy(new Path(directory), policy);
    List<String> written = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      written.add(write(directory + "/f" + i, 2, replication));
    }
    return written;
  }

  /** Deletes a directory with all in it. */
  void delete(String directory) throws IOException {
    cluster.client().delete(new Path(directory), true);
  }

  /** Reads every byte, and compares. */
  void check(String path) throws IOException {
    try (InputStream in = cluster.client().open(new Path(path))) {
      byte[] read = in.readAllBytes();
      assertArrayEquals(bytes(path, read.length), read, path);
      assertEquals(length(path), read.length, path);
    }
  }

  /** Of each block where its replicas lie. By a call that is no opening. */
  List<List<DatanodeInfoWithStorage>> replicas(String path) throws IOException {
    List<List<DatanodeInfoWithStorage>> all = new ArrayList<>();
    for (LocatedBlock block : blocks(path)) {
      all.add(List.of(block.getLocations()));
    }
    return all;
  }

  List<LocatedBlock> blocks(String path) throws IOException {
    HdfsLocatedFileStatus status = cluster.client().getClient().getLocatedFileInfo(path, false);
    List<LocatedBlock> blocks = status.getLocatedBlocks().getLocatedBlocks();
    assertTrue(!blocks.isEmpty(), path);
    return blocks;
  }

  /** Of each block the types of its replicas in the order of their names. */
  List<String> types(String path) throws IOException {
    return replicas(path).stream()
        .map(
            block ->
                block.stream().map(one -> one.getStorageType().name()).sorted().toList().toString())
        .toList();
  }

  /** Waits until each block has so many replicas, all of them of nodes in service. */
  void awaitReplicas(String path, int number) {
    Eventually.holds(
        number + " replicas of " + path,
        () ->
            replicas(path).stream()
                .allMatch(
                    block ->
                        block.size() == number
                            && block.stream().allMatch(DatanodeInfo::isInService)));
  }

  /**
   * The same, none of them on a node that died: the NameNode calls a node dead a moment before it
   * forgets what lay there.
   */
  void awaitReplicasWithout(String dead, String path, int number) {
    Eventually.holds(
        number + " replicas of " + path + " without " + dead,
        () ->
            replicas(path).stream()
                .allMatch(
                    block ->
                        block.size() == number
                            && !names(block.toArray(DatanodeInfo[]::new)).contains(dead)));
  }

  /** On nodes of their own and, from two replicas on, on more than one rack. */
  void assertSpread(String path) throws IOException {
    for (List<DatanodeInfoWithStorage> block : replicas(path)) {
      assertEquals(
          block.size(),
          block.stream().map(DatanodeInfo::getDatanodeUuid).distinct().count(),
          () -> path + " " + block);
      if (block.size() > 1) {
        assertTrue(
            block.stream().map(DatanodeInfo::getNetworkLocation).distinct().count() > 1,
            () -> path + " " + block);
      }
    }
  }

  static byte[] content(String path, int blocks) {
    return bytes(path, blocks * ClusterSettings.BLOCK_SIZE - 1000);
  }

  private static byte[] bytes(String path, int length) {
    byte[] content = new byte[length];
    new SplittableRandom(path.hashCode()).nextBytes(content);
    return content;
  }

  private long length(String path) throws IOException {
    return cluster.client().getFileStatus(new Path(path)).getLen();
  }

  static InetSocketAddress[] addresses(ProcessCluster cluster, List<String> nodes)
      throws IOException {
    List<InetSocketAddress> all = new ArrayList<>();
    for (String node : nodes) {
      DatanodeInfo info = cluster.info(node);
      all.add(InetSocketAddress.createUnresolved(info.getIpAddr(), info.getXferPort()));
    }
    return all.toArray(InetSocketAddress[]::new);
  }

  static List<String> names(DatanodeInfo[] nodes) {
    return Arrays.stream(nodes).map(node -> node.getHostName().split("\\.")[0]).sorted().toList();
  }
}
