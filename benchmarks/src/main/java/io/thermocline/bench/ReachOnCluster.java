// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.placement.hdfs.FastestReplicaFirstTopology;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.RackedNameNode;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.Readers;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;

/**
 * A cluster of processes with a read order, and clients that read its files; DataNodes count what they serve. A DataNode has an
 * address of its own and storages of one type, so that its counter is of that type. For one thread.
 */
final class ReachOnCluster implements AutoCloseable {
  static final int RACKS = 4;
  static final int NODES = 4;
  private static final StorageType SSD = StorageType.SSD;
  private static final int FILE_BYTES = 16 << 10;

  /** DataNodes renew the page of their counters every ten seconds. */
  private static final Duration COUNTERS = Duration.ofMillis(10_500);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ProcessCluster cluster;
  private final FileSystem client;

  private ReachOnCluster(ProcessCluster cluster, FileSystem client) {
    this.cluster = cluster;
    this.client = client;
  }

  /**
   * Started, with a copy of each file on SSD.
   *
   * @param isSortedByClients whether clients sort what the NameNode returns
   * @param place for its directory
   */
  static ReachOnCluster start(ReadOrder order, boolean isSortedByClients, int files, Path place)
      throws IOException {
    try {
      ProcessCluster.Builder builder =
          ProcessCluster.builder(HadoopLine.resolve(VersionInfo.getVersion(), place))
              .parent(place)
              .plugin(ProcessCluster.codeOf(FastestReplicaFirstTopology.class))
              // By which readers may say on which host they are.
              .setting(
                  "dfs.namenode.ip-proxy-users",
                  UserGroupInformation.getCurrentUser().getShortUserName());
      RackedNameNode.keys(order).forEach(builder::setting);
      for (int rack = 0; rack < RACKS; rack++) {
        for (int node = 0; node < NODES; node++) {
          builder.node(
              new ProcessNode(
                  "dn" + rack + node,
                  "rack" + rack,
                  List.of(node % 2 == 0 ? SSD : StorageType.DISK),
                  address(rack, node)));
        }
      }
      ProcessCluster cluster = builder.start();
      try {
        write(cluster.client(), files);
        return new ReachOnCluster(cluster, client(cluster, isSortedByClients));
      } catch (IOException | RuntimeException e) {
        cluster.close();
        throw e;
      }
    } catch (UnresolvedHadoopException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The IP address of a DataNode. */
  static String address(int rack, int node) {
    return "127.1." + rack + "." + (node + 1);
  }

  private static void write(DistributedFileSystem hdfs, int files) throws IOException {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/data");
    hdfs.mkdirs(directory);
    hdfs.setStoragePolicy(directory, "ONE_SSD");
    for (int file = 0; file < files; file++) {
      try (FSDataOutputStream out =
          hdfs.create(new org.apache.hadoop.fs.Path(path(file)), (short) 3)) {
        out.write(new byte[FILE_BYTES]);
      }
    }
  }

  private static String path(int file) {
    return "/data/" + file;
  }

  private static FileSystem client(ProcessCluster cluster, boolean sorts) throws IOException {
    Configuration conf = new Configuration(cluster.configuration());
    if (sorts) {
      conf.set("fs.hdfs.impl", HintingFileSystem.class.getName());
      conf.set("thermocline.hints.read.order", "fastest");
    }
    return FileSystem.newInstance(cluster.uri(), conf);
  }

  /** All DataNodes, by their ids. */
  Map<String, Readers.Place> places() throws IOException {
    Map<String, Readers.Place> places = new HashMap<>();
    for (DatanodeInfo node : cluster.client().getDataNodeStats()) {
      places.put(
          node.getDatanodeUuid(), new Readers.Place(node.getIpAddr(), node.getNetworkLocation()));
    }
    return places;
  }

  /** The files as the NameNode has them. */
  List<FileView> files(int files) throws IOException {
    List<FileView> all = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      LocatedBlock block =
          cluster.client().getClient().getLocatedBlocks(path(file), 0, FILE_BYTES).get(0);
      List<FileView.Replica> replicas = new ArrayList<>();
      for (DatanodeInfoWithStorage node : block.getLocations()) {
        replicas.add(
            new FileView.Replica(
                node.getDatanodeUuid(),
                node.getStorageID(),
                StorageType.valueOf(node.getStorageType().name())));
      }
      FileView.Block view =
          new FileView.Block(
              block.getBlock().getBlockPoolId(),
              block.getBlock().getBlockId(),
              block.getBlock().getGenerationStamp(),
              block.getBlockSize(),
              replicas);
      all.add(new FileView(path(file), FILE_BYTES, replicas.size(), 0, List.of(view)));
    }
    return all;
  }

  /**
   * Reads each file from each address, and asks the DataNodes what they served.
   *
   * @param times that a file is read from an address
   * @return bytes by the type that served them
   */
  Map<StorageType, Long> read(List<String> addresses, int files, int times)
      throws IOException, InterruptedException {
    Map<StorageType, Long> before = counted();
    try {
      for (String address : addresses) {
        CallerContext.setCurrent(new CallerContext.Builder("clientIp:" + address).build());
        for (int read = 0; read < files * times; read++) {
          try (InputStream in = client.open(new org.apache.hadoop.fs.Path(path(read % files)))) {
            in.readAllBytes();
          }
        }
      }
    } finally {
      CallerContext.setCurrent(null);
    }
    Map<StorageType, Long> served = counted();
    before.forEach((type, bytes) -> served.merge(type, -bytes, Long::sum));
    long expected = (long) addresses.size() * files * times * FILE_BYTES;
    long all = served.values().stream().mapToLong(Long::longValue).sum();
    if (all < expected || all > 1.1 * expected) {
      throw new IOException(expected + " bytes were read, and DataNodes count " + served);
    }
    return served;
  }

  private Map<StorageType, Long> counted() throws IOException, InterruptedException {
    ServiceRuntime.system().pause().pause(COUNTERS);
    Map<StorageType, Long> counted = new LinkedHashMap<>();
    for (DatanodeInfo node : cluster.client().getDataNodeStats()) {
      JsonNode beans =
          JSON.readTree(
                  URI.create(
                          "http://"
                              + node.getInfoAddr()
                              + "/jmx?qry=Hadoop:service=DataNode,name=DataNodeActivity-*")
                      .toURL())
              .path("beans");
      int last = Integer.parseInt(node.getIpAddr().replaceAll(".*\\.", "")) - 1;
      counted.merge(
          last % 2 == 0 ? SSD : StorageType.DISK,
          beans.path(0).path("BytesRead").asLong(),
          Long::sum);
    }
    return counted;
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      client.close();
    }
  }
}
