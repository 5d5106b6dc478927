// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.util.VersionInfo;

/**
 * DataNodes that exist only in what they tell a NameNode, by its own protocol: four storages each (two
 * DISK, SSD, ARCHIVE) of different sizes and fillings, twenty nodes to a rack.
 */
final class FakeDatanodes {
  private static final int NODES_PER_RACK = 20;
  private static final long TERABYTE = 1L << 40;
  private static final StorageType[] TYPES = {
    StorageType.DISK, StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE
  };

  private final NamenodeProtocols nameNode;
  private final Random random;

  FakeDatanodes(NamenodeProtocols nameNode, long seed) {
    this.nameNode = nameNode;
    this.random = new Random(seed);
  }

  /** Registers that many nodes and sends a first heartbeat of each. */
  void join(int nodes) throws IOException {
    for (int node = 0; node < nodes; node++) {
      join(node, "/rack" + node / NODES_PER_RACK, storages(node));
    }
  }

  /** Registers a node with an empty storage of each type, and sends its first heartbeat. */
  void join(int node, String rack, StorageType[] types, long[] capacities) throws IOException {
    StorageReport[] reports = new StorageReport[types.length];
    for (int i = 0; i < types.length; i++) {
      reports[i] =
          new StorageReport(
              new DatanodeStorage("DS-" + node + "-" + i, DatanodeStorage.State.NORMAL, types[i]),
              false,
              capacities[i],
              0,
              capacities[i],
              0,
              0);
    }
    join(node, rack, reports);
  }

  private void join(int node, String rack, StorageReport[] storages) throws IOException {
    NamespaceInfo namespace = nameNode.versionRequest();
    // What MiniDFSCluster has its NameNode ask for racks.
    StaticMapping.addNodeToRack("node" + node, rack);
    DatanodeID id =
        new DatanodeID(
            "10." + (node >> 16) + "." + (node >> 8 & 0xff) + "." + (node & 0xff),
            "node" + node,
            uuid(node),
            9866,
            9864,
            9865,
            9867);
    DatanodeRegistration registration =
        nameNode.registerDatanode(
            new DatanodeRegistration(
                id, new DataStorage(namespace), new ExportedBlockKeys(), VersionInfo.getVersion()));
    registration.setNamespaceInfo(namespace);
    nameNode.sendHeartbeat(
        registration,
        storages,
        0,
        0,
        0,
        4 + random.nextInt(3),
        0,
        null,
        false,
        SlowPeerReports.EMPTY_REPORT,
        SlowDiskReports.EMPTY_REPORT);
  }

  static String uuid(int node) {
    return "uuid-" + node;
  }

  static int racks(int nodes) {
    return (nodes + NODES_PER_RACK - 1) / NODES_PER_RACK;
  }

  private StorageReport[] storages(int node) {
    StorageReport[] reports = new StorageReport[TYPES.length];
    for (int i = 0; i < reports.length; i++) {
      long capacity = (2 + random.nextInt(7)) * TERABYTE;
      long used = (long) (capacity * (0.1 + 0.7 * random.nextDouble()));
      reports[i] =
          new StorageReport(
              new DatanodeStorage("DS-" + node + "-" + i, DatanodeStorage.State.NORMAL, TYPES[i]),
              false,
              capacity,
              used,
              capacity - used,
              used,
              0);
    }
    return reports;
  }
}
