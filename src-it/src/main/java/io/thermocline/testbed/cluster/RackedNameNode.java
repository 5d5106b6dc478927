// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.Readers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.util.VersionInfo;

/**
 * A NameNode with a read order and DataNodes that only register: with addresses of their own, a few in each
 * of some racks. It sorts replicas for readers as for located blocks.
 */
public final class RackedNameNode implements AutoCloseable {

  private final MiniDFSCluster cluster;
  private final Map<String, Readers.Place> places = new HashMap<>();

  private RackedNameNode(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Started, with all nodes registered.
   *
   * @param directory of its own, that exists
   */
  public static RackedNameNode start(ReadOrder order, int racks, int nodesPerRack, Path directory)
      throws IOException {
    Path table = directory.resolve("racks");
    StringBuilder lines = new StringBuilder();
    for (int rack = 0; rack < racks; rack++) {
      for (int node = 0; node < nodesPerRack; node++) {
        lines.append(address(rack, node)).append(" /rack").append(rack).append('\n');
      }
    }
    Files.writeString(table, lines);
    Configuration conf = new HdfsConfiguration();
    conf.set("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    conf.set("net.topology.table.file.name", table.toString());
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, directory.resolve("http").toString());
    keys(order).forEach(conf::set);
    RackedNameNode started =
        new RackedNameNode(
            new MiniDFSCluster.Builder(conf, directory.resolve("dfs").toFile())
                .numDataNodes(0)
                .useConfiguredTopologyMappingClass(true)
                .build());
    for (int rack = 0; rack < racks; rack++) {
      for (int node = 0; node < nodesPerRack; node++) {
        started.register(address(rack, node), "/rack" + rack);
      }
    }
    return started;
  }

  /** What a NameNode's configuration has for an order. */
  public static Map<String, String> keys(ReadOrder order) {
    return switch (order) {
      case NEAREST -> Map.of();
      case NEAREST_THEN_TYPE -> Map.of("dfs.namenode.read.considerStorageType", "true");
      case FASTEST -> Map.of("dfs.net.topology.impl", ReadOrder.TOPOLOGY);
    };
  }

  /** The IP address of a DataNode, by numbers from 0. */
  public static String address(int rack, int node) {
    return "10.0." + rack + "." + (node + 1);
  }

  /** The identity of the DataNode with an address. */
  public static String uuid(String address) {
    return "uuid-" + address;
  }

  private void register(String address, String rack) throws IOException {
    NamespaceInfo namespace = cluster.getNameNodeRpc().versionRequest();
    cluster
        .getNameNodeRpc()
        .registerDatanode(
            new DatanodeRegistration(
                new DatanodeID(address, "host-" + address, uuid(address), 9866, 9864, 9865, 9867),
                new DataStorage(namespace),
                new ExportedBlockKeys(),
                VersionInfo.getVersion()));
    String found = manager().getDatanode(uuid(address)).getNetworkLocation();
    if (!found.equals(rack)) {
      throw new IllegalStateException(address + " is in " + found + ", not in " + rack);
    }
    places.put(uuid(address), new Readers.Place(address, rack));
  }

  /** All DataNodes. */
  public Map<String, Readers.Place> places() {
    return Map.copyOf(places);
  }

  /**
   * How often each replica of a block comes first, as a share.
   *
   * @param layout addresses of DataNodes and types, "10.0.0.1 SSD"
   * @param readers addresses of clients, which ask with equal chance
   */
  public double[] first(List<String> layout, List<String> readers, int calls) {
    return first(layout, readers, calls, block -> {});
  }

  /**
   * The same of clients that sort what they got.
   *
   * @param client sorts the replicas of a block in place
   */
  public double[] first(
      List<String> layout, List<String> readers, int calls, Consumer<LocatedBlock> client) {
    double[] first = new double[layout.size()];
    SplittableRandom random = new SplittableRandom(7);
    for (int call = 0; call < calls; call++) {
      DatanodeInfoWithStorage[] replicas =
          IntStream.range(0, layout.size())
              .mapToObj(i -> replica(i, layout.get(i).split(" ")))
              .toArray(DatanodeInfoWithStorage[]::new);
      String[] ids = new String[replicas.length];
      StorageType[] types = new StorageType[replicas.length];
      for (int i = 0; i < replicas.length; i++) {
        ids[i] = replicas[i].getStorageID();
        types[i] = replicas[i].getStorageType();
      }
      LocatedBlock block =
          new LocatedBlock(new ExtendedBlock("pool", 1, 1, 1), replicas, ids, types);
      manager()
          .sortLocatedBlocks(
              readers.get(random.nextInt(readers.size())), new ArrayList<>(List.of(block)));
      client.accept(block);
      DatanodeInfoWithStorage taken = block.getLocations()[0];
      first[Integer.parseInt(taken.getStorageID())] += 1.0 / calls;
    }
    return first;
  }

  private DatanodeInfoWithStorage replica(int number, String[] one) {
    return new DatanodeInfoWithStorage(
        manager().getDatanode(uuid(one[0])), Integer.toString(number), StorageType.valueOf(one[1]));
  }

  private DatanodeManager manager() {
    return cluster.getNamesystem().getBlockManager().getDatanodeManager();
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
