// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** A live DataNode as a NameNode sees it after a heartbeat, without one. In this package for that. */
public final class BenchDatanode {
  private BenchDatanode() {}

  /** An empty node with one storage of each given type and that capacity in bytes. */
  public static DatanodeDescriptor of(
      int number, String rack, long capacity, StorageType... types) {
    String name = "node" + number;
    DatanodeDescriptor node =
        new DatanodeDescriptor(new DatanodeID(name, name, name, 9866, 0, 0, 0), rack);
    StorageReport[] reports = new StorageReport[types.length];
    for (int i = 0; i < types.length; i++) {
      DatanodeStorage storage =
          new DatanodeStorage(name + "-" + i, DatanodeStorage.State.NORMAL, types[i]);
      node.updateStorage(storage);
      reports[i] = new StorageReport(storage, false, capacity, 0, capacity, 0, 0);
    }
    node.updateHeartbeatState(reports, 0, 0, 0, 0, null);
    node.setAlive(true);
    return node;
  }
}
